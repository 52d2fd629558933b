package dev.medley.loop.feature;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Computes a feature in Java, where SQL does not say it well. A loop's file names the class ({@code
 * java:}), the jars or folders that it lies in ({@code class_path:}) and the sources whose history
 * it reads ({@code from:}); key, time, version and the join as of each row's time are as for a
 * query.
 *
 * <p>What a class promises:
 *
 * <ul>
 *   <li>It is public and has a public constructor without parameters. Each time that features are
 *       joined there is a new object, and its methods are called on one thread.
 *   <li>The same history gives the same rows, bit by bit: no clock, no chance, no files, no
 *       network, nothing kept in static fields. A model's answers, a backfill and servers count on
 *       it.
 *   <li>It looks at nothing but what it is handed. A row of its own says in {@link
 *       FeatureTable#KNOWN} since when it could have been known, which is the latest {@link
 *       HistoryRow#knownAt()} of what went into it; so no row that is learnt from sees what came
 *       after it.
 * </ul>
 *
 * <p>Whatever it throws ends the stage with one message: the feature, the class, and the row that
 * was read last.
 */
public interface FeatureCode {
    /**
     * The columns of its rows, in their order: those of the key, the time, {@link
     * FeatureTable#KNOWN}, and the features. Where there is a column {@link FeatureTable#DELETED},
     * a row with true in it says that from then on there is none.
     */
    List<FeatureColumn> columns();

    /**
     * The rows, each with a value for each column; null is a missing one.
     *
     * @param history all rows of the sources that are named, one source after the other, each in
     *     the order in which rows became known, and of one time in the order of their values. It
     *     can be read once, and is read as far as it is asked for
     * @return rows in any order. They are taken one at a time; a class that keeps none in memory
     *     needs none for them. More than a million and a hundred for each row that was read are
     *     refused, so that a stream without an end does not fill the disk
     * @throws Exception whatever went wrong
     */
    Stream<List<@Nullable Object>> rows(Stream<HistoryRow> history) throws Exception;
}

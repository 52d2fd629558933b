package dev.medley.loop.stage;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what a version of the model was made of.
 *
 * @param version in the registry
 * @param rows the file of rows that it learnt from
 * @param trainedUntilMs rows before this time have been seen by it, milliseconds since 1970
 * @param seen the file that says which rows there were, with a label or without
 * @param trainedRows how many rows it learnt from
 * @param labelledRows how many had a label then, those that judge included
 * @param trainedAtMs when, milliseconds since 1970
 * @param rowsSha256 of the file of rows that it learnt from
 * @param features the definitions that its rows were made by, as {@code usage@2}
 * @param sources versions of the snapshots, as {@code customers@7}
 * @param metric what it reached on the newest rows of then; null where it was not measured
 * @param asOfMs the time whose knowledge its rows were made of, milliseconds since 1970; null of
 *     versions that older ones of Medley made
 * @param learnt files of the rows that it learnt, one by one, as they came; what was answered for
 *     each before is in them. Empty for a version that one training made
 */
public record VersionFacts(
        int version,
        Path rows,
        long trainedUntilMs,
        Path seen,
        long trainedRows,
        long labelledRows,
        long trainedAtMs,
        String rowsSha256,
        List<String> features,
        List<String> sources,
        @Nullable Double metric,
        @Nullable Long asOfMs,
        List<Path> learnt) {
    public VersionFacts {
        learnt = learnt == null ? List.of() : List.copyOf(learnt);
        features = List.copyOf(features);
        sources = List.copyOf(sources);
    }

    /** The same with the metric that it reached. */
    public VersionFacts reached(double figure) {
        return new VersionFacts(
                version,
                rows,
                trainedUntilMs,
                seen,
                trainedRows,
                labelledRows,
                trainedAtMs,
                rowsSha256,
                features,
                sources,
                figure,
                asOfMs,
                learnt);
    }
}

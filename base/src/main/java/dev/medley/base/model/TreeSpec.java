package dev.medley.base.model;

import static dev.medley.base.ConfigException.check;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Describes how single trees of an ensemble grow.
 *
 * @param depth most splits from the root to a leaf; 0 for any, where leaves are limited
 * @param leaves most leaves, of which the best is split first; 0 for any, level by level
 * @param minChildWeight least sum of second derivatives in a child
 * @param minSplitGain least gain of a split
 * @param l1 penalty on the size of leaves
 * @param l2 penalty on the square of leaves
 * @param subsample share of the rows that a tree sees
 * @param colsample share of the columns that a tree, or each split of a forest, sees
 * @param bins most values of a column that are told apart
 * @param monotone columns with which the prediction may only rise or only fall
 */
public record TreeSpec(
        int depth,
        int leaves,
        double minChildWeight,
        double minSplitGain,
        double l1,
        double l2,
        double subsample,
        double colsample,
        int bins,
        Map<String, Direction> monotone) {
    /** Where the prediction may move as a column's value grows. */
    public enum Direction {
        INCREASING,
        DECREASING
    }

    private static final int MOST_DEPTH = 30;
    private static final int MOST_BINS = 65_535;

    public TreeSpec {
        monotone = Collections.unmodifiableMap(new TreeMap<>(monotone));
        check(depth >= 0 && depth <= MOST_DEPTH, "model.depth=%d: from 0 to %d", depth, MOST_DEPTH);
        check(leaves >= 0 && leaves != 1, "model.leaves=%d: 0 for any, or at least 2", leaves);
        check(
                depth > 0 || leaves > 0,
                "model.depth=0 and model.leaves=0: trees without an end; limit one of them");
        checkNotNegative("min_child_weight", minChildWeight);
        checkNotNegative("min_split_gain", minSplitGain);
        checkNotNegative("l1", l1);
        checkNotNegative("l2", l2);
        checkShare("subsample", subsample);
        checkShare("colsample", colsample);
        check(bins >= 2 && bins <= MOST_BINS, "model.bins=%d: from 2 to %d", bins, MOST_BINS);
    }

    /** Small trees on all rows and columns, of which many are added up. */
    public static TreeSpec ofBoosting() {
        return new TreeSpec(6, 0, 1, 0, 0, 1, 1, 1, 256, Map.of());
    }

    /** Large trees, each on some rows, whose splits each choose among some columns. */
    public static TreeSpec ofForest() {
        return new TreeSpec(16, 0, 1, 0, 0, 0, 0.632, 0.5, 256, Map.of());
    }

    private static void checkNotNegative(String key, double value) {
        check(value >= 0 && Double.isFinite(value), "model.%s=%s: 0 or more", key, value);
    }

    private static void checkShare(String key, double value) {
        check(value > 0 && value <= 1, "model.%s=%s: above 0, at most 1", key, value);
    }
}

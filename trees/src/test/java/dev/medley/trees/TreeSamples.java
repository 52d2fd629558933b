package dev.medley.trees;

import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.model.TreeSpec;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Makes rows of two numbers and a category, whose label needs all three. */
final class TreeSamples {
    static final List<TreeColumn> COLUMNS =
            List.of(new TreeColumn("x", 0), new TreeColumn("y", 0), new TreeColumn("kind", 3));

    /** Rows that are ranked together. */
    static final int GROUP = 10;

    private TreeSamples() {}

    static Target target(TargetKind kind) {
        return new Target(kind, kind == TargetKind.CLASSES ? 3 : 1, List.of());
    }

    /** Rows that are a function of the seed and their number. */
    static Batch batch(long seed, int from, int to, TargetKind kind) {
        int rows = to - from;
        HostArray numbers = HostArray.allocate(ElementType.FLOAT32, rows, 2);
        HostArray codes = HostArray.allocate(ElementType.INT64, rows, 1);
        HostArray target =
                kind == TargetKind.GRADE
                        ? HostArray.allocate(ElementType.FLOAT32, rows, 2)
                        : HostArray.allocate(
                                kind == TargetKind.CLASSES
                                        ? ElementType.INT64
                                        : ElementType.FLOAT32,
                                rows);
        for (int row = 0; row < rows; row++) {
            RandomGenerator random = Seeds.generator(seed, from + row);
            float x = (float) random.nextDouble() * 2 - 1;
            float y = (float) random.nextDouble() * 2 - 1;
            int code = random.nextInt(4); // The last was never seen.
            boolean isMissing = random.nextInt(20) == 0;
            numbers.data().buffer().asFloatBuffer().put(2 * row, isMissing ? Float.NaN : x);
            numbers.data().buffer().asFloatBuffer().put(2 * row + 1, y);
            codes.data().buffer().asLongBuffer().put(row, code);
            boolean isSame = x > 0 == y > 0;
            switch (kind) {
                case CLASSES ->
                        target.data().buffer().asLongBuffer().put(row, isSame ? 2 : code % 2);
                case GRADE ->
                        target.data()
                                .buffer()
                                .asFloatBuffer()
                                .put(2 * row, isSame ? 2 : code == 1 ? 1 : 0)
                                .put(2 * row + 1, (from + row) % GROUP == 0 ? 1 : 0);
                case VALUE -> target.data().buffer().asFloatBuffer().put(row, 10 * x + code);
                default ->
                        target.data()
                                .buffer()
                                .asFloatBuffer()
                                .put(row, isSame == (code != 1) ? 1 : 0);
            }
        }
        return new Batch(List.of(numbers, codes), target, rows);
    }

    static TreeLearner boosting(TargetKind kind) {
        return learner(new ModelSpec.Boosting(50, 0.3, TreeSpec.ofBoosting()), kind);
    }

    static TreeLearner learner(ModelSpec.Trees model, TargetKind kind) {
        return new TreeLearner(
                model, target(kind), COLUMNS, new TreeLearner.Growing(1, 7, List.of()));
    }

    /** Gives rows in batches of uneven lengths. */
    static TreeLearner.Batches batches(long seed, int from, int to, TargetKind kind) {
        return taker -> each(seed, from, to, kind, taker);
    }

    private static void each(long seed, int from, int to, TargetKind kind, Consumer<Batch> taker) {
        for (int at = from; at < to; at += 700) {
            taker.accept(batch(seed, at, Math.min(to, at + 700), kind));
        }
    }

    static Map<String, TreeSpec.Direction> rising() {
        return Map.of("x", TreeSpec.Direction.INCREASING);
    }
}

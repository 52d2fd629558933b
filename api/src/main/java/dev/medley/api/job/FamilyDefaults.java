package dev.medley.api.job;

import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.NumberScaling;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.FamilyRules;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.table.TermSpec;

/**
 * The settings that a model family trains well with; {@code docs/decisions} has the runs behind the
 * figures.
 *
 * @param epochs of a budget without any limit
 * @param batch samples of one step
 * @param optimizer AdamW for all of them
 * @param clipNorm largest norm of the gradient; 0 for none
 * @param split how validation samples are chosen
 * @param ofTables what else families of tables take
 */
record FamilyDefaults(
        double epochs,
        int batch,
        OptimizerSpec optimizer,
        double clipNorm,
        SplitKind split,
        OfTables ofTables) {
    /**
     * What keeps small tables from too few steps and from too many.
     *
     * @param leastSteps of a budget without any limit
     * @param patience with the first metric, of such a budget
     * @param warmupShare of all steps that warm-up takes at most
     * @param scaling of numbers
     * @param oneHotLimit categories up to which a column is one-hot
     * @param terms of words and hashes, and whether the family takes them as few of many
     * @param hasLabel whether a column is predicted
     */
    record OfTables(
            long leastSteps,
            int patience,
            double warmupShare,
            NumberScaling scaling,
            int oneHotLimit,
            TermSpec terms,
            boolean hasLabel) {
        private static final int ONE_HOT = DataSpec.TableSpec.defaults().oneHotLimit();
        private static final TermSpec TERMS = TermSpec.defaults();
        static final OfTables NONE =
                new OfTables(
                        0,
                        0,
                        ScheduleSpec.WARMUP_SHARE,
                        NumberScaling.ROBUST,
                        ONE_HOT,
                        TERMS,
                        true);
        private static final OfTables USUAL =
                new OfTables(2000, 10, 0.1, NumberScaling.ROBUST, ONE_HOT, TERMS, true);
        private static final OfTables OF_LINEAR =
                new OfTables(
                        2000,
                        10,
                        0.1,
                        NumberScaling.ROBUST,
                        ONE_HOT,
                        TermSpec.sparseDefaults(),
                        true);

        /** A step takes milliseconds, and a short series gives few of them in an epoch. */
        private static final OfTables OF_CHEAP_FORECASTS =
                new OfTables(
                        1000,
                        0,
                        ScheduleSpec.WARMUP_SHARE,
                        NumberScaling.ROBUST,
                        ONE_HOT,
                        TERMS,
                        true);

        private static final OfTables OF_SEQUENCES =
                new OfTables(500, 10, 0.1, NumberScaling.ROBUST, ONE_HOT, TERMS, true);

        /** Every category has rows of its own. */
        private static final OfTables OF_FACTORS =
                new OfTables(0, 3, 0.1, NumberScaling.ROBUST, 0, TERMS, true);

        /** Trees split on values as they are, and on categories by themselves. */
        private static final OfTables OF_TREES =
                new OfTables(
                        0,
                        TREE_PATIENCE,
                        ScheduleSpec.WARMUP_SHARE,
                        NumberScaling.RAW,
                        0,
                        TERMS,
                        true);

        /** Far values count in full, and so does each category. */
        private static final OfTables OF_CLUSTERS =
                new OfTables(
                        0,
                        0,
                        ScheduleSpec.WARMUP_SHARE,
                        NumberScaling.STANDARD,
                        ONE_HOT,
                        TERMS,
                        false);
    }

    /** Evaluations of trees. */
    private static final int TREE_PATIENCE = 5;

    /** Steps over which the learning rate rises before its cosine. */
    static final long WARMUP_STEPS = 100;

    private static final OptimizerSpec ADAMW = OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW);

    /** Those of a model that forecasts windows over time. */
    static FamilyDefaults ofForecasts(ModelSpec model) {
        FamilyDefaults usual = of(model);
        OptimizerSpec optimizer = usual.optimizer().withLearningRate(0.001);
        boolean isCheap = model instanceof ModelSpec.Linear || model instanceof ModelSpec.Mlp;
        return new FamilyDefaults(
                10,
                64,
                optimizer,
                usual.clipNorm(),
                usual.split(),
                isCheap ? OfTables.OF_CHEAP_FORECASTS : OfTables.NONE);
    }

    /** Those of a model that tells the label of whole sequences. */
    static FamilyDefaults ofSequences(ModelSpec model) {
        FamilyDefaults usual = of(model);
        OptimizerSpec optimizer = usual.optimizer().withLearningRate(0.002);
        return new FamilyDefaults(10, 64, optimizer, 1, SplitKind.RANDOM, OfTables.OF_SEQUENCES);
    }

    /** Those of a model of samples. */
    static FamilyDefaults of(ModelSpec model) {
        if (model instanceof ModelSpec.Trees trees) {
            return new FamilyDefaults(
                    trees.rounds(), TrainSpec.ALL, ADAMW, 0, SplitKind.RANDOM, OfTables.OF_TREES);
        } else if (FamilyRules.takesRounds(model)) {
            return new FamilyDefaults(
                    FamilyRules.rounds(model),
                    TrainSpec.ALL,
                    ADAMW,
                    0,
                    SplitKind.RANDOM,
                    OfTables.OF_FACTORS);
        } else if (model instanceof ModelSpec.Factorization f
                && f.factors().rows() == FactorSpec.Rows.ALL) {
            return new FamilyDefaults(
                    20,
                    1024,
                    ADAMW.withLearningRate(0.01),
                    0,
                    SplitKind.RANDOM,
                    OfTables.OF_FACTORS);
        } else if (model instanceof ModelSpec.Factorization) {
            OptimizerSpec rule = ADAMW.withLearningRate(0.01).withWeightDecay(1);
            return new FamilyDefaults(20, 1024, rule, 0, SplitKind.RANDOM, OfTables.OF_FACTORS);
        } else if (model instanceof ModelSpec.KMeans) {
            return new FamilyDefaults(5, 1024, ADAMW, 0, SplitKind.RANDOM, OfTables.OF_CLUSTERS);
        } else if (model instanceof ModelSpec.Linear) {
            return new FamilyDefaults(
                    10, 256, ADAMW.withLearningRate(0.03), 0, SplitKind.RANDOM, OfTables.OF_LINEAR);
        } else if (model instanceof ModelSpec.Mlp mlp) {
            OptimizerSpec rule = mlp.isPlain() ? ADAMW : ADAMW.withLearningRate(0.003);
            return new FamilyDefaults(4, 256, rule, 0, SplitKind.RANDOM, OfTables.USUAL);
        } else if (model instanceof ModelSpec.Cnn) {
            return new FamilyDefaults(
                    10, 128, ADAMW.withLearningRate(0.002), 0, SplitKind.RANDOM, OfTables.NONE);
        } else if (model instanceof ModelSpec.Resnet) {
            return new FamilyDefaults(
                    12, 128, ADAMW.withLearningRate(0.002), 0, SplitKind.RANDOM, OfTables.NONE);
        } else if (model instanceof ModelSpec.Recurrent) {
            return new FamilyDefaults(10, 32, ADAMW, 1, SplitKind.TAIL, OfTables.NONE);
        } else if (model instanceof ModelSpec.Pretrained pretrained) {
            double rate = pretrained.lora() == null ? 5e-5 : 5e-4;
            return new FamilyDefaults(
                    3, 16, ADAMW.withLearningRate(rate), 1, SplitKind.TAIL, OfTables.NONE);
        } else if (model instanceof ModelSpec.Transformer) {
            return new FamilyDefaults(
                    10, 32, withBeta2(ADAMW, 0.99), 1, SplitKind.TAIL, OfTables.NONE);
        }
        return new FamilyDefaults(10, 256, ADAMW, 0, SplitKind.RANDOM, OfTables.NONE);
    }

    /** The family's optimizer, or what the rule {@code kind} usually takes if that is another. */
    OptimizerSpec optimizer(OptimizerSpec.Kind kind) {
        OptimizerSpec usual = OptimizerSpec.defaults(kind);
        return switch (kind) {
            case ADAMW -> optimizer;
            case ADAM -> optimizer(usual);
            case SGD, RMSPROP, ADAGRAD, LBFGS -> usual;
        };
    }

    /** Adam differs from AdamW in its decay alone. */
    private OptimizerSpec optimizer(OptimizerSpec adam) {
        return withBeta2(adam, optimizer.beta2()).withLearningRate(optimizer.learningRate());
    }

    /** The tokens of texts: a pretrained model has its own. */
    static TextUnit unit(ModelSpec model) {
        return model instanceof ModelSpec.Pretrained ? TextUnit.BPE : TextUnit.BYTES;
    }

    /** Cosine after a short warm-up; the other shapes start at once. */
    static ScheduleSpec schedule(ScheduleSpec.Kind kind) {
        ScheduleSpec plain = ScheduleSpec.defaults();
        long warmup = kind == ScheduleSpec.Kind.COSINE ? WARMUP_STEPS : 0;
        return new ScheduleSpec(
                kind, warmup, plain.stepEpochs(), plain.stepFactor(), plain.floor());
    }

    private static OptimizerSpec withBeta2(OptimizerSpec o, double beta2) {
        return new OptimizerSpec(
                o.kind(),
                o.learningRate(),
                o.momentum(),
                o.nesterov(),
                o.beta1(),
                beta2,
                o.epsilon(),
                o.weightDecay());
    }
}

package dev.medley.base.job;

import dev.medley.base.strategy.StrategySpec;

/**
 * The work of a job: what its workers do with their lives. All of it is done by the same
 * coordinator and the same workers, which know it by its name alone.
 */
public sealed interface Work {
    /** The name by which workers find the task for it. */
    String name();

    /** What there is to read. */
    DataSpec data();

    /** Most bytes of prepared data that a worker keeps in memory. */
    long cacheBytes();

    /**
     * Checks that a cluster can do it.
     *
     * @throws dev.medley.base.ConfigException if it cannot
     */
    void requireFits(ClusterSpec cluster);

    /**
     * Training by gradients.
     *
     * @param data what to learn from
     * @param model what learns
     * @param train how
     * @param strategy when and with whom workers exchange
     */
    record Gradient(DataSpec data, ModelSpec model, TrainSpec train, StrategySpec strategy)
            implements Work {
        /** The name of this work. */
        public static final String NAME = "gradient";

        public Gradient {
            FamilyRules.require(data, model, train, strategy);
            GradientRules.require(train, strategy);
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public long cacheBytes() {
            return data.cache().memoryBytes();
        }

        @Override
        public void requireFits(ClusterSpec cluster) {
            GradientRules.requireFits(this, cluster);
            FamilyRules.requireFits(this, cluster);
        }

        /** The same with another strategy. */
        public Gradient with(StrategySpec changed) {
            return new Gradient(data, model, train, changed);
        }

        /** The same with another model. */
        public Gradient with(ModelSpec changed) {
            return new Gradient(data, changed, train, strategy);
        }

        /** The same, trained otherwise. */
        public Gradient with(TrainSpec changed) {
            return new Gradient(data, model, changed, strategy);
        }
    }

    /**
     * Prediction of all samples of files.
     *
     * @param data to predict
     * @param trained absolute path of the model's folder
     */
    record Prediction(DataSpec data, String trained) implements Work {
        /** The name of this work. */
        public static final String NAME = "prediction";

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public long cacheBytes() {
            return data.cache().memoryBytes();
        }

        /** Any can predict. */
        @Override
        public void requireFits(ClusterSpec cluster) {}
    }

    /**
     * A survey of a cluster: its members dial each other, and compute nothing.
     *
     * @param look what it is to find out
     */
    record Survey(Look look) implements Work {
        /** The name of this work. */
        public static final String NAME = "survey";

        /** What there is to find out. */
        public enum Look {
            /** The members that each member reaches. */
            REACH,
            /** That, and then latency and bandwidth of all paths. */
            PATHS
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public DataSpec data() {
            throw new IllegalStateException("a survey reads no data");
        }

        @Override
        public long cacheBytes() {
            return 0;
        }

        /** Any can be surveyed. */
        @Override
        public void requireFits(ClusterSpec cluster) {}
    }
}

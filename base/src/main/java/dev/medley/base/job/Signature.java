package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.medley.base.memory.ElementType;
import java.util.List;
import java.util.Objects;

/**
 * The arrays that a model takes and the target that it predicts. It is found from the data, and
 * models are built for it.
 *
 * @param inputs arrays of one sample, in order
 * @param target what is predicted
 * @param weighted whether each sample has a weight beside its target; false in the records of
 *     versions that had no such component
 */
public record Signature(
        List<Input> inputs, Target target, @JsonSetter(nulls = Nulls.AS_EMPTY) boolean weighted) {
    public Signature {
        inputs = List.copyOf(inputs);
    }

    /** Samples that all count one. */
    public Signature(List<Input> inputs, Target target) {
        this(inputs, target, false);
    }

    /**
     * One array of a sample.
     *
     * @param name for people
     * @param type of its elements
     * @param shape without the sample dimension: {@code [features]}, {@code [channels, height,
     *     width]}, {@code [context]}
     * @param cardinalities for an array of category or token indices, how many values each column
     *     (or, for tokens, the whole array) has; for terms, {@code [most of a sample, 2]} FLOAT32
     *     with the index of a feature and its value each, how many features there are; empty for
     *     numbers
     * @param bins for the first columns of an array of numbers, edges between which the training
     *     values lie, ascending; empty for a column that is a flag or a code. No list at all where
     *     nothing is known, as in the records of versions that had no such component
     */
    public record Input(
            String name,
            ElementType type,
            List<Integer> shape,
            List<Integer> cardinalities,
            List<List<Float>> bins) {
        public Input {
            shape = List.copyOf(shape);
            cardinalities = List.copyOf(cardinalities);
            bins = bins == null ? List.of() : bins.stream().map(List::copyOf).toList();
        }

        /** Whether it has the few of many features that a sample has. */
        public boolean isTerms() {
            return type == ElementType.FLOAT32 && !cardinalities.isEmpty();
        }

        /** An array of whose numbers nothing is known. */
        public Input(
                String name, ElementType type, List<Integer> shape, List<Integer> cardinalities) {
            this(name, type, shape, cardinalities, List.of());
        }
    }

    /** The kind of a prediction. */
    public enum TargetKind {
        /** One of two classes; one output, target FLOAT32 0 or 1. */
        BINARY,
        /** One of several classes; that many outputs, target INT64. */
        CLASSES,
        /** A number; one output, target FLOAT32. */
        VALUE,
        /** Several numbers; as many outputs, target FLOAT32 of as many. */
        VALUES,
        /**
         * How much a row deserves to come first among those of its group; one output, a score.
         * Target FLOAT32 of two: the grade, and 1 where a group begins or 0 where it goes on. The
         * rows of a group lie together.
         */
        GRADE,
        /**
         * The next token at every position; target INT64 of the input's shape, -1 where none is
         * asked for.
         */
        TOKENS,
        /** Nothing that samples hold: a model finds something in them; target FLOAT32 0. */
        NONE
    }

    /** How the outputs of a network, which are of the size of 1, become a number. */
    public enum Link {
        /** Times the deviation, plus the mean. */
        IDENTITY,
        /** Their exponential, times the mean. */
        LOG
    }

    /**
     * The target.
     *
     * @param kind what is predicted
     * @param outputs values that the model gives for one prediction: 1, the numbers, the classes,
     *     or the vocabulary
     * @param labels names of the classes or of the columns to predict, or the characters of the
     *     vocabulary; empty where there are none
     * @param mean of a number over the training samples; 0 where it is not known
     * @param deviation of a number over the training samples; 1 where it is not known. A network
     *     gives {@code (number - mean) / deviation}, whose size is about 1; its outputs as others
     *     see them are the number
     * @param link how a network's outputs become the number. Null, as in the records of versions
     *     that had no such component, is {@link Link#IDENTITY}
     */
    public record Target(
            TargetKind kind,
            int outputs,
            List<String> labels,
            double mean,
            double deviation,
            Link link) {
        public Target {
            link = Objects.requireNonNullElse(link, Link.IDENTITY);
            labels = List.copyOf(labels);
            deviation = deviation > 0 ? deviation : 1; // Files of models before it have none.
        }

        /** A target whose outputs are proportional to it. */
        public Target(
                TargetKind kind, int outputs, List<String> labels, double mean, double deviation) {
            this(kind, outputs, labels, mean, deviation, Link.IDENTITY);
        }

        /**
         * Whether it is the rate of counts: a network gives the logarithm of its part of the mean.
         */
        public boolean isRate() {
            return link == Link.LOG;
        }

        /** A target that is learnt as it stands. */
        public Target(TargetKind kind, int outputs, List<String> labels) {
            this(kind, outputs, labels, 0, 1);
        }

        /**
         * Checks that there is something to decide between.
         *
         * @param key of the job that asks for it
         * @throws dev.medley.base.ConfigException for anything but two classes
         */
        public void requireTwoClasses(String key) {
            String found =
                    switch (kind) {
                        case BINARY -> "one of two classes";
                        case CLASSES -> "one of " + outputs + " classes";
                        case VALUE -> "a number";
                        case VALUES -> "several numbers";
                        case GRADE -> "a grade";
                        case TOKENS -> "text";
                        case NONE -> "nothing that samples hold";
                    };
            check(
                    kind == TargetKind.BINARY,
                    "%s: decides between two classes, and what is predicted here is %s; leave it"
                            + " out",
                    key,
                    found);
        }
    }
}

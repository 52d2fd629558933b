package dev.medley.tensor.kmeans;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import java.nio.DoubleBuffer;

/**
 * Holds what a fit remembers from step to step, equal on all workers, in one span of doubles.
 * Centres and candidates are as samples are after {@link Array#SHIFT} was taken off them.
 */
final class KMeansState {
    /** What the next step does. */
    enum Phase {
        /** Sums features and their squares, and fetches the first candidate of each fit. */
        SURVEY,
        /** Finds distances to the candidates. */
        MEASURE,
        /** Draws more candidates. */
        DRAW,
        /** Counts samples by their nearest candidate. */
        WEIGH,
        /** Moves centres. */
        MOVE,
        /** Finds the inertia of centres that move no more. */
        JUDGE,
        /** Takes batches, or nothing more. */
        DONE
    }

    /** Single numbers. */
    enum Number {
        PHASE,
        /** Samples of all workers. */
        SAMPLES,
        /** Bounds of sums of features, and of squared lengths. */
        BOUND,
        BOUND_OF_SQUARES,
        /** Mean of the features' variances. */
        VARIANCE,
        RESTART,
        ROUND,
        CANDIDATES,
        /** Counts how often candidates began anew. */
        SET,
        ITERATION,
        /** 1 while centres without samples are given others. */
        MENDS,
        /** 1 where there are no other samples to give. */
        CANNOT_MEND,
        /** Centres of all fits that were given other samples. */
        MENDED,
        /** The fit with the lowest inertia; meaningless before the first. */
        BEST
    }

    /** Arrays. */
    enum Array {
        SHIFT,
        /** First candidates of all fits. */
        FIRSTS,
        CANDIDATES,
        CENTRES,
        /** Samples of each, when they moved last. */
        COUNTS,
        /** Centres of the best fit. */
        BEST,
        /** Samples of each of them. */
        SIZES,
        /** Of each fit that is over. */
        INERTIAS,
        ITERATIONS
    }

    private final KMeansShape shape;
    private final Span memory;
    private final DoubleBuffer values;

    KMeansState(KMeansShape shape) {
        this.shape = shape;
        int end = offset(Array.ITERATIONS) + length(Array.ITERATIONS);
        memory = Span.allocate((long) end * Double.BYTES);
        values = memory.buffer().asDoubleBuffer();
    }

    private int length(Array array) {
        return switch (array) {
            case SHIFT -> shape.features();
            case FIRSTS -> shape.restarts() * shape.features();
            case CANDIDATES -> Math.multiplyExact(shape.mostCandidates(), shape.features());
            case CENTRES, BEST -> shape.centres();
            case COUNTS, SIZES -> shape.k();
            case INERTIAS, ITERATIONS -> shape.restarts();
        };
    }

    private int offset(Array array) {
        int offset = Number.values().length;
        for (Array before : Array.values()) {
            if (before == array) {
                break;
            }
            offset += length(before);
        }
        return offset;
    }

    KMeansShape shape() {
        return shape;
    }

    Phase phase() {
        return Phase.values()[whole(Number.PHASE)];
    }

    void phase(Phase next) {
        set(Number.PHASE, next.ordinal());
    }

    double get(Number number) {
        return values.get(number.ordinal());
    }

    int whole(Number number) {
        return (int) get(number);
    }

    void set(Number number, double value) {
        values.put(number.ordinal(), value);
    }

    void add(Number number, double more) {
        set(number, get(number) + more);
    }

    double[] get(Array array) {
        double[] copy = new double[length(array)];
        values.get(offset(array), copy);
        return copy;
    }

    void set(Array array, double[] from) {
        values.put(offset(array), from, 0, length(array));
    }

    /** One number of an array. */
    double get(Array array, int index) {
        return values.get(offset(array) + index);
    }

    void set(Array array, int index, double value) {
        values.put(offset(array) + index, value);
    }

    ExactUnit unit() {
        return ExactUnit.forSumsWithin(get(Number.BOUND));
    }

    ExactUnit unitOfSquares() {
        return ExactUnit.forSumsWithin(get(Number.BOUND_OF_SQUARES));
    }

    /** Whether samples have been surveyed. */
    boolean knowsSamples() {
        return phase() != Phase.SURVEY;
    }

    /** Whether centres without samples are to be given others. */
    boolean mends() {
        return get(Number.MENDS) == 1;
    }

    KMeansState copy() {
        KMeansState copy = new KMeansState(shape);
        copy.take(this);
        return copy;
    }

    /** Becomes what another is. */
    void take(KMeansState other) {
        memory.copyFrom(other.memory);
    }

    /** The memory itself. */
    NamedSpan span() {
        long[] length = {memory.bytes() / Double.BYTES};
        return new NamedSpan("kmeans", ElementType.FLOAT64, length, memory);
    }
}

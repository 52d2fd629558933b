package dev.medley.training.rounds;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.WorkDone;

/**
 * Holds what this worker computed in rounds that ended without it, until it goes into a later one.
 * It goes in as a change of the weight that it has, multiplied with the age gate of {@link
 * QuorumSpec#lateFactor}. Work of several rounds has the age of the oldest. Work that gets too old
 * is dropped.
 */
final class LateWork {
    private final QuorumSpec gate;
    private final ElementType type;
    private final Span change;
    private int age;
    private StepLoss loss = StepLoss.NONE;
    private double weightedSteps;
    private long samples;

    LateWork(QuorumSpec gate, ElementType type, long bytes) {
        this.gate = gate;
        this.type = type;
        this.change = Span.allocate(bytes);
    }

    /** Nothing is held. */
    void clear() {
        age = 0;
        loss = StepLoss.NONE;
        weightedSteps = 0;
        samples = 0;
    }

    /**
     * A round has ended without the change from {@code start} to {@code now}; {@code now} holds
     * anything afterwards.
     */
    void missed(Span start, Span now, WorkDone done) {
        if (age > 0 && gate.isTooOld(++age)) {
            clear();
        }
        if (done.samples() == 0 || gate.isTooOld(1)) {
            return;
        }
        if (age == 0) {
            age = 1;
            change.clear();
        }
        double factor = done.factor();
        Memory.difference(start, now, 1, now, type);
        Memory.combine(change, now, change, type, (held, moved) -> held + factor * moved);
        loss = loss.plus(done.loss());
        weightedSteps += done.weightedSteps();
        samples += done.samples();
    }

    /** Adds what is held to a change that is about to be summed, through the gate. */
    void addTo(Span sum) {
        if (age > 0) {
            double factor = gate.lateFactor(age);
            Memory.combine(sum, change, sum, type, (fresh, late) -> fresh + factor * late);
        }
    }

    /** Rounds since the oldest of it was computed, as the next sum will see it; 0 for nothing. */
    int age() {
        return age;
    }

    /** What its samples lost. */
    StepLoss loss() {
        return loss;
    }

    /** Weight times steps. */
    double weightedSteps() {
        return weightedSteps;
    }

    /** Its samples. */
    long samples() {
        return samples;
    }

    long bytes() {
        return change.bytes();
    }
}

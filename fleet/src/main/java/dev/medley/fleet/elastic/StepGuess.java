package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.trace.StepCost;
import dev.medley.fleet.elastic.trace.StepTable;

/** Predicts how long a step takes, from what was measured so far or from all. */
interface StepGuess {
    /** A step of workers on nodes, each with a local batch. */
    StepCost at(int nodes, int workers, int local);

    /** The truth for workers packed onto as few nodes as they need. */
    static StepGuess truth(StepTable table) {
        return (nodes, workers, local) -> table.packed(workers, local);
    }
}

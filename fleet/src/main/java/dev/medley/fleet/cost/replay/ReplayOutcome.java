package dev.medley.fleet.cost.replay;

/**
 * Holds what became of one job under one policy.
 *
 * @param cost of machines and of moving checkpoints
 * @param endS since its start; infinite if the log ended first
 * @param missedByS seconds after the deadline; 0 if it was kept
 * @param starts of machines
 * @param spotS seconds paid on spot machines
 * @param onDemandS seconds paid on demand
 * @param waitedS seconds without a machine
 */
public record ReplayOutcome(
        double cost,
        double endS,
        double missedByS,
        int starts,
        double spotS,
        double onDemandS,
        double waitedS) {}

package dev.medley.base;

/**
 * The epoch, step and plan that every frame of an exchange names. Two ranks that disagree on any of
 * the three discard the step.
 *
 * @param epoch the group's epoch
 * @param step number of the step in the run, from 1
 * @param planVersion the plan that cut the batch
 */
public record StepTag(int epoch, long step, int planVersion) {}

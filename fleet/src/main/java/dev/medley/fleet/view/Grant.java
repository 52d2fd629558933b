package dev.medley.fleet.view;

/**
 * Gives a job machines for the next round.
 *
 * @param machines by type
 * @param why one sentence for the job's owner
 */
public record Grant(long job, int[] machines, String why) {}

package dev.medley.fleet.learning.episode;

/** Draws workloads and fleets: the same number gives the same ones. */
@FunctionalInterface
public interface Episodes {
    /** The episode of a number, from 0; training and validation use numbers apart. */
    Episode of(long number);
}

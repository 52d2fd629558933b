package dev.medley.fleet.hub;

import dev.medley.fleet.state.FleetJob;

/** Says what a hub has to do to a job's process. Asking again is harmless. */
public sealed interface HubWish {
    /** Which job. */
    FleetJob job();

    /** Start a process for it, which was journalled before: at its address, and in its folder. */
    record Start(FleetJob job) implements HubWish {}

    /** Have its process keep a checkpoint and end. */
    record Stop(FleetJob job) implements HubWish {}
}

package dev.medley.training.loop;

import dev.medley.base.Fault;

/** The reason why a worker's part in a group ended. */
public sealed interface Ending {
    /** All members stopped after the same step, because one of them was asked to. */
    record Paused() implements Ending {}

    /** A step ended in a fault; the group has to be formed anew. */
    record Faulted(long step, Fault fault) implements Ending {}

    /** There is nothing left to do. */
    record Finished(String why) implements Ending {}
}

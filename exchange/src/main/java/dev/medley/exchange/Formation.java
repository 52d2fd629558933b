package dev.medley.exchange;

import dev.medley.base.Fault;

/** What came of an attempt to form a collective. */
public sealed interface Formation {
    /** All members are joined. */
    record Formed(Collective collective) implements Formation {}

    /** Not all members could be joined; what had been opened is closed again. */
    record Failed(Fault fault) implements Formation {}
}

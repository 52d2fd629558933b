package dev.medley.serving.route;

import dev.medley.base.time.Clock;

/** Holds what the requests of a router share. */
record RouterParts(
        ReplicaTable table,
        RouterCalls calls,
        RouterProbes probes,
        RetryBudget budget,
        RouterTotals totals,
        Clock clock) {}

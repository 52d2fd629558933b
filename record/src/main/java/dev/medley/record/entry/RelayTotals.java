package dev.medley.record.entry;

import dev.medley.base.text.Units;

/**
 * The bytes that a worker relayed between two others that cannot dial each other, over a run. The
 * two count them among what they sent ({@link LinkTotals}): they are no traffic beside that.
 *
 * @param relay id of the worker that handed it on
 * @param from id of the worker that sent it
 * @param to id of the worker that received it
 * @param bytes as they travelled, over the relay's links twice: in and out
 */
public record RelayTotals(int relay, int from, int to, long bytes) {
    /** The same with more of the same. */
    RelayTotals plus(RelayTotals more) {
        return new RelayTotals(relay, from, to, bytes + more.bytes);
    }

    /** In words. */
    public String sentence() {
        return "worker-%d to worker-%d through worker-%d: %s"
                .formatted(from, to, relay, Units.bytes((double) bytes));
    }
}

package dev.medley.plan.policy;

import java.util.Objects;

/**
 * The type and memory of a worker's machine, as far as plans care.
 *
 * @param type machines of one type are alike, their memory included; empty for the coordinator's
 *     own, or where it is not known
 * @param memoryBytes that the worker may use there; {@link Long#MAX_VALUE} where no limit is known
 */
public record MachineKind(String type, long memoryBytes) {
    /** Of which nothing is known, or the coordinator's own. */
    public static final MachineKind UNKNOWN = new MachineKind("", Long.MAX_VALUE);

    public MachineKind {
        Objects.requireNonNull(type);
    }
}

package dev.medley.plan.policy;

import dev.medley.base.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the shares of a run's workers by the memory of the machines that they came from.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class MemoryBounds {
    private static final int MANY = Integer.MAX_VALUE;

    private final BatchRoom batches;
    private final Map<WorkerId, MachineKind> kinds = new HashMap<>();
    private final Map<String, Integer> found = new HashMap<>(); // By type, where memory ran out.
    private final Map<String, Integer> largest = new HashMap<>(); // By type, of the last plan.

    /** Begins with {@code batches} on each kind of machine. */
    public MemoryBounds(BatchRoom batches) {
        this.batches = batches;
    }

    /** A worker has come; its room is returned. */
    public int comes(WorkerId worker, MachineKind machine) {
        kinds.put(worker, machine);
        return of(worker);
    }

    /** These shares are about to be taken. */
    public void planned(List<WorkerId> ranks, List<Integer> shares) {
        ranks.forEach(worker -> largest.remove(kind(worker).type()));
        for (int rank = 0; rank < shares.size(); rank++) {
            largest.merge(kind(ranks.get(rank)).type(), shares.get(rank), Math::max);
        }
    }

    /**
     * A share was too much for a machine, in however small parts it went through the model: those
     * of its type get half as much.
     *
     * @return what is done about it, in words; null where it was a single sample, or shares are no
     *     batches
     */
    @Nullable
    public String cut(String type) {
        int share = Math.min(largest.getOrDefault(type, 1), found.getOrDefault(type, MANY));
        if (share <= 1 || batches.equals(BatchRoom.UNLIMITED)) {
            return null;
        }
        found.put(type, share / 2);
        return "shares are of at most %d samples from now on%s"
                .formatted(
                        found.get(type),
                        type.isEmpty() ? "" : " on machines of this type: " + type);
    }

    /** Most samples of a step for each; all together hold the batch ({@link BatchRoom#holding}). */
    public List<Integer> caps(int batch, List<WorkerId> ranks) {
        return BatchRoom.holding(batch, ranks.stream().map(this::of).toList());
    }

    /** Most samples of a step for all of them together. */
    public int mostSamples(List<WorkerId> ranks) {
        return (int) Math.min(MANY, ranks.stream().mapToLong(this::of).sum());
    }

    /** Ranks whose shares are no larger for want of memory, in words; empty for none. */
    public String limits(List<WorkerId> ranks, List<Integer> shares) {
        List<String> full = new ArrayList<>();
        int beyond = 0;
        for (int rank = 0; rank < shares.size(); rank++) {
            int room = of(ranks.get(rank));
            beyond = Math.max(beyond, shares.get(rank) - room);
            if (shares.get(rank) >= room) {
                full.add("%d on rank %d".formatted(room, rank));
            }
        }
        String lack = beyond > 0 ? ", too little for the whole by an estimate" : "";
        return full.isEmpty()
                ? ""
                : "; memory has room for at most " + String.join(", ", full) + lack;
    }

    private int of(WorkerId worker) {
        MachineKind kind = kind(worker);
        int estimated = batches.mostSamples(kind.memoryBytes());
        return Math.min(estimated, found.getOrDefault(kind.type(), MANY));
    }

    private MachineKind kind(WorkerId worker) {
        return kinds.getOrDefault(worker, MachineKind.UNKNOWN);
    }
}

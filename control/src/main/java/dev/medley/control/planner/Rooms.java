package dev.medley.control.planner;

import dev.medley.base.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How large the shares of a run's workers may be, by the memory of the machines that they came
 * from.
 *
 * <p>Thread: the coordinator's agent.
 */
final class Rooms {
    /** Any share has room. */
    static final Rooms UNLIMITED = new Rooms(BatchRoom.UNLIMITED);

    private final BatchRoom batches;
    private final Map<WorkerId, Integer> most = new HashMap<>();

    Rooms(BatchRoom batches) {
        this.batches = batches;
    }

    /** A worker has come; its room is returned. */
    int comes(WorkerId worker, MachineKind machine) {
        int samples = batches.mostSamples(machine.memoryBytes());
        if (samples < Integer.MAX_VALUE) {
            most.put(worker, samples);
        }
        return samples;
    }

    /** Most samples of a step for each; all together hold the batch ({@link BatchRoom#holding}). */
    List<Integer> caps(int batch, List<WorkerId> ranks) {
        return BatchRoom.holding(batch, ranks.stream().map(this::of).toList());
    }

    /** Whose share is no larger for want of memory, in words; nothing where nobody's. */
    String limits(List<WorkerId> ranks, List<Integer> shares) {
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
        return most.getOrDefault(worker, Integer.MAX_VALUE);
    }
}

package dev.medley.fleet.simulation;

import dev.medley.fleet.view.EndedJobs;
import java.util.ArrayDeque;

/** Keeps kinds and sizes of the jobs that ended last. */
final class EndedSizes {
    private final int most;
    private final ArrayDeque<String> kinds = new ArrayDeque<>();
    private final ArrayDeque<Double> sizes = new ArrayDeque<>();
    private EndedJobs newest = EndedJobs.NONE;
    private boolean isChanged;

    EndedSizes(int most) {
        this.most = most;
    }

    void add(String kind, double sizeS) {
        if (sizes.size() == most) {
            kinds.removeFirst();
            sizes.removeFirst();
        }
        kinds.addLast(kind);
        sizes.addLast(sizeS);
        isChanged = true;
    }

    /** The newest is last; the same value until a job ends. */
    EndedJobs newest() {
        if (isChanged) {
            newest =
                    new EndedJobs(
                            java.util.List.copyOf(kinds),
                            sizes.stream().mapToDouble(size -> size).toArray());
            isChanged = false;
        }
        return newest;
    }
}

package dev.medley.record.entry;

import dev.medley.base.text.Units;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells what the loss of a worker cost, or of several until training went on. A step is an
 * iteration or a round where training goes by these. Times are differences of the machines' clocks:
 * where these disagree, so do the times.
 *
 * @param workers that were lost, in order
 * @param step the last one that was applied before
 * @param wallMillis when the first was found lost
 * @param stoodNs from the end of that step to the beginning of the next, less {@code againNs} of a
 *     step; null where none was taken after it
 * @param againNs of work that was thrown away and done again: the step under way, at most as long
 *     as the one before it, and steps since the checkpoint that the run went back to
 * @param repeatedSteps since the checkpoint that the run went back to; 0 where somebody held all
 */
public record WorkerLoss(
        List<Integer> workers,
        long step,
        long wallMillis,
        @Nullable Long stoodNs,
        long againNs,
        long repeatedSteps) {
    public WorkerLoss {
        workers = List.copyOf(workers);
    }

    /** What it cost in all, as far as it is known. */
    public long costNs() {
        return againNs + (stoodNs == null ? 0 : stoodNs);
    }

    /**
     * {@code worker-2 was lost at step 120: 1.8 s until training went on, 0.4 s computed again}.
     *
     * @param word for a step of the run
     */
    public String sentence(String word) {
        String who = String.join(" and ", workers.stream().map(w -> "worker-" + w).toList());
        String lost =
                "%s %s lost at %s %s"
                        .formatted(
                                who, workers.size() == 1 ? "was" : "were", word, Units.count(step));
        if (stoodNs == null) {
            return lost + ": no %s was taken after it".formatted(word);
        }
        String steps =
                repeatedSteps == 0
                        ? ""
                        : " (with %s %ss from the checkpoint)"
                                .formatted(Units.count(repeatedSteps), word);
        return "%s: %s until training went on, %s computed again%s"
                .formatted(
                        lost,
                        Units.duration((double) stoodNs),
                        Units.duration((double) againNs),
                        steps);
    }

    WorkerLoss and(int worker) {
        List<Integer> more = new ArrayList<>(workers);
        if (!more.contains(worker)) {
            more.add(worker);
        }
        return new WorkerLoss(more, step, wallMillis, stoodNs, againNs, repeatedSteps);
    }

    WorkerLoss over(long atStep, long allNs, long thrownAwayNs) {
        return new WorkerLoss(
                workers, atStep, wallMillis, allNs - thrownAwayNs, thrownAwayNs, repeatedSteps);
    }

    WorkerLoss repeating(long stepNs) {
        return new WorkerLoss(
                workers, step, wallMillis, stoodNs, againNs + stepNs, repeatedSteps + 1);
    }
}

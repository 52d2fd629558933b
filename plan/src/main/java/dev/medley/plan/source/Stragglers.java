package dev.medley.plan.source;

import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Lateness;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.profile.speed.StepTimeFit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tracks how late each worker's last steps were, to find stragglers; see {@link Lateness}.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class Stragglers {
    private final double bound;
    private final Map<WorkerId, Lateness> byWorker = new HashMap<>();

    /**
     * Nobody so far.
     *
     * @param bound times the usual at which a step is late
     */
    public Stragglers(double bound) {
        this.bound = bound;
    }

    /** A step was taken; {@code usual} does not know of it yet. */
    public void stepped(Map<WorkerId, Measured> measured, Speeds usual) {
        Map<WorkerId, Double> times = new HashMap<>();
        measured.forEach(
                (worker, of) -> {
                    StepTimeFit fit = usual.fit(worker);
                    if (fit.isKnown() && of.share() > 0) {
                        double usualNs = fit.line().predictNs(of.share());
                        times.put(worker, of.computeNs() / Math.max(1, usualNs));
                    }
                });
        times.forEach(
                (worker, of) -> {
                    Lateness before = byWorker.getOrDefault(worker, Lateness.NONE);
                    byWorker.put(worker, before.after(of, middleWithout(worker, times), bound));
                });
    }

    /** How late this one is. */
    public Lateness of(WorkerId worker) {
        return byWorker.getOrDefault(worker, Lateness.NONE);
    }

    /** What was seen of a worker counts no more. */
    void forget(WorkerId worker) {
        byWorker.remove(worker);
    }

    /** The lower of two, where two are in the middle. */
    private static double middleWithout(WorkerId worker, Map<WorkerId, Double> times) {
        List<Double> others =
                times.entrySet().stream()
                        .filter(e -> !e.getKey().equals(worker))
                        .map(Map.Entry::getValue)
                        .sorted()
                        .toList();
        return others.isEmpty() ? 1 : others.get((others.size() - 1) / 2);
    }
}

package dev.medley.control.planner;

import dev.medley.base.WorkerId;
import dev.medley.control.planner.PlanSource.Measured;
import dev.medley.profile.speed.SpeedTracker;
import dev.medley.profile.speed.StepTime;
import dev.medley.profile.speed.StepTimeFit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What is known of how long each worker takes. A worker that is new is taken for as fast as the
 * mean of those that are known.
 *
 * <p>Thread: the coordinator's agent.
 */
final class Speeds {
    private final Map<WorkerId, SpeedTracker> byWorker = new HashMap<>();
    private final int window;
    private double exchangeNs;

    /** Of steps, three of which make an observation. */
    Speeds() {
        this(3);
    }

    /** Of steps, so many of which make an observation. */
    Speeds(int window) {
        this.window = window;
    }

    /** How many steps make an observation. */
    int window() {
        return window;
    }

    /** A worker is about to join that has tried these shares. */
    void joins(WorkerId worker, List<Measured> tried) {
        SpeedTracker guess = SpeedTracker.unknown(window);
        for (Measured share : tried) {
            guess = guess.tried(share.share(), (double) share.computeNs());
        }
        boolean isLine = tried.stream().mapToInt(Measured::share).distinct().count() > 1;
        byWorker.put(worker, isLine ? guess.keepingAlpha() : guess);
    }

    /** A step was taken. */
    void stepped(Map<WorkerId, Measured> measured) {
        measured.forEach(
                (worker, of) ->
                        byWorker.put(
                                worker,
                                tracker(worker).after(of.share(), (double) of.computeNs())));
        double least = measured.values().stream().mapToDouble(Measured::exchangeNs).min().orElse(0);
        exchangeNs = exchangeNs == 0 ? least : 0.9 * exchangeNs + 0.1 * least;
    }

    /** What was known of a worker is void: this is how long it takes now. */
    void becomes(WorkerId worker, int share, double ns) {
        byWorker.put(worker, SpeedTracker.unknown(window).tried(share, ns).tried(share, ns));
    }

    /** Of a step, that no change of shares takes away; ns. */
    double exchangeNs() {
        return exchangeNs;
    }

    /** The fit to a worker's steps. */
    StepTimeFit fit(WorkerId worker) {
        return tracker(worker).fit();
    }

    /** Times of these workers, in their order. */
    List<StepTime> times(List<WorkerId> ranks) {
        return StepTimeFit.lines(ranks.stream().map(this::fit).toList());
    }

    /** How long a step of these shares takes, with the part of the exchange that stays; ns. */
    double stepNs(List<WorkerId> ranks, List<Integer> shares) {
        List<StepTime> times = times(ranks);
        return exchangeNs
                + IntStream.range(0, shares.size())
                        .mapToDouble(i -> times.get(i).predictNs(shares.get(i)))
                        .max()
                        .orElse(0);
    }

    /** Standard error of a difference between these workers, ns: each of them may be misjudged. */
    double errorNs(List<WorkerId> ranks) {
        return Math.sqrt(
                ranks.stream()
                        .mapToDouble(worker -> fit(worker).errorNs())
                        .map(error -> error * error)
                        .sum());
    }

    private SpeedTracker tracker(WorkerId worker) {
        return byWorker.getOrDefault(worker, SpeedTracker.unknown(window));
    }
}

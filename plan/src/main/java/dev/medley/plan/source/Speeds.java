package dev.medley.plan.source;

import dev.medley.base.WorkerId;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.profile.speed.SpeedTracker;
import dev.medley.profile.speed.StepTime;
import dev.medley.profile.speed.StepTimeFit;
import dev.medley.profile.speed.StepTimeGuess;
import dev.medley.profile.speed.TrackingOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Keeps how long each worker takes for a step. A new worker is known by earlier runs on such
 * machines, if there were any; else it is taken for as fast as the mean of the known workers.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class Speeds {
    /** Trials that differ by no more than that say nothing of the machines. */
    private static final double ALIKE = 1.15;

    private final Map<WorkerId, SpeedTracker> byWorker = new HashMap<>();

    private final Map<WorkerId, StepTimeGuess> guesses = new HashMap<>();
    private final Set<WorkerId> stepped = new HashSet<>();
    private final Map<WorkerId, Warmth> warmth = new HashMap<>();

    /** What a worker moves and sums itself, whatever its share. */
    private final Map<WorkerId, Double> exchangeNs = new HashMap<>();

    /** How many times as fast as before; of those that were resized. */
    private final Map<WorkerId, Double> resized = new HashMap<>();

    private final TrackingOptions following;
    private double idleNs;

    /** How many steps a worker has taken, and how long ago the first began. */
    private record Warmth(int steps, double ns) {
        static final Warmth NONE = new Warmth(0, 0);

        static Warmth of(Measured step) {
            return new Warmth(1, (double) step.computeNs() + step.exchangeNs() + step.waitingNs());
        }

        Warmth plus(Warmth next) {
            return new Warmth(steps + next.steps, ns + next.ns);
        }
    }

    /** Of steps. */
    public Speeds() {
        this(TrackingOptions.STEPS);
    }

    /** Nothing is known yet. */
    public Speeds(TrackingOptions following) {
        this.following = following;
    }

    /** How many steps make an observation. */
    int window() {
        return following.window();
    }

    /** How long a worker took in earlier runs on such machines; before it joins. */
    void guessed(WorkerId worker, StepTimeGuess guess) {
        guesses.put(worker, guess);
    }

    /** A worker is about to join that has tried these shares. */
    void joins(WorkerId worker, List<Measured> tried) {
        SpeedTracker tracker = SpeedTracker.unknown(following);
        for (Measured share : tried) {
            tracker = tracker.tried(share.share(), (double) share.computeNs());
        }
        boolean isLine = tried.stream().mapToInt(Measured::share).distinct().count() > 1;
        if (isLine) {
            guesses.remove(worker); // It was tried: there is nothing left to guess.
        }
        byWorker.put(worker, isLine ? tracker.keepingAlpha() : shaped(worker, tracker));
    }

    /**
     * A step was taken; it teaches nothing while code warms up, if all speeds were tried before.
     */
    public void stepped(Map<WorkerId, Measured> measured) {
        boolean isWarmingUp =
                measured.keySet().stream().allMatch(this::isMeasured)
                        && measured.keySet().stream().anyMatch(this::isWarmingUp);
        measured.forEach((worker, of) -> warmth.merge(worker, Warmth.of(of), Warmth::plus));
        stepped.addAll(measured.keySet());
        if (isWarmingUp) {
            return;
        }
        measured.forEach(
                (worker, of) -> {
                    SpeedTracker before = tracker(worker);
                    SpeedTracker after = before.after(of.share(), (double) of.computeNs());
                    boolean isFirst = !before.fit().isKnown();
                    byWorker.put(worker, isFirst ? shaped(worker, after) : after);
                    exchangeNs.merge(worker, (double) of.exchangeNs(), following::mean);
                });
        double least = measured.values().stream().mapToDouble(Measured::waitingNs).min().orElse(0);
        idleNs = idleNs == 0 ? least : following.mean(idleNs, least);
    }

    private boolean isWarmingUp(WorkerId worker) {
        Warmth now = warmth.getOrDefault(worker, Warmth.NONE);
        return now.steps() < following.warmRounds() && now.ns() < following.warmNs();
    }

    /** What was known of a worker is void: this is how long it takes now. */
    void becomes(WorkerId worker, int share, double ns) {
        byWorker.put(worker, SpeedTracker.unknown(following).tried(share, ns).tried(share, ns));
    }

    /**
     * A worker computes so many times as fast as it did: that is a guess, which its first steps
     * overrule.
     */
    void resized(WorkerId worker, double faster) {
        if (!isKnown(worker)) {
            return;
        }
        StepTime before = line(worker);
        StepTime now = new StepTime(before.alphaNs() / faster, before.betaNs() / faster);
        if (now.predictNs(1) > 0) {
            byWorker.put(worker, SpeedTracker.unknown(following));
            guesses.put(worker, new StepTimeGuess(now, 1, 2, 1, 0));
            resized.put(worker, faster);
        }
    }

    /** Of a step in which even the last worker waits: no change of shares takes it away; ns. */
    double idleNs() {
        return idleNs;
    }

    /** The fit to a worker's steps. */
    StepTimeFit fit(WorkerId worker) {
        return tracker(worker).fit();
    }

    /** Times of these workers, in their order: of computing and of what they do of the exchange. */
    List<StepTime> times(List<WorkerId> ranks) {
        List<StepTime> lines = lines(ranks);
        return IntStream.range(0, lines.size())
                .mapToObj(
                        i ->
                                new StepTime(
                                        lines.get(i).alphaNs()
                                                + exchangeNs.getOrDefault(ranks.get(i), 0.0),
                                        lines.get(i).betaNs()))
                .toList();
    }

    /** Whether anything is known of a worker, be it a guess. */
    boolean isKnown(WorkerId worker) {
        return guesses.containsKey(worker) || fit(worker).isKnown();
    }

    /** Whether a worker's speed was measured in this run. */
    boolean isMeasured(WorkerId worker) {
        return fit(worker).isKnown();
    }

    /** What of the times is guessed of workers that have taken no step yet; empty for nothing. */
    String guesses(List<WorkerId> ranks) {
        List<String> words = new ArrayList<>();
        for (WorkerId worker : ranks) {
            StepTimeGuess guess = guesses.get(worker);
            boolean isOfEarlier = !stepped.contains(worker) && !resized.containsKey(worker);
            if (guess != null && isOfEarlier) {
                words.add(isMeasured(worker) ? shape(worker) : level(worker, guess.line()));
            }
        }
        String guessed =
                words.isEmpty() ? "" : "; guessed from earlier runs: " + String.join(", ", words);
        return guessed + resized(ranks);
    }

    private String resized(List<WorkerId> ranks) {
        return ranks.stream()
                .filter(worker -> resized.containsKey(worker) && !isMeasured(worker))
                .map(
                        worker ->
                                String.format(
                                        Locale.ROOT,
                                        "; %s is taken for %.2f times as fast as it was",
                                        worker,
                                        resized.get(worker)))
                .collect(Collectors.joining());
    }

    private String shape(WorkerId worker) {
        double alphaMs = fit(worker).line().alphaNs() / 1e6;
        return alphaMs < 0.005
                ? worker + " takes as long for each sample, whatever its share"
                : String.format(
                        Locale.ROOT,
                        "%s takes %.2f ms of a step whatever its share",
                        worker,
                        alphaMs);
    }

    private static String level(WorkerId worker, StepTime line) {
        String words = "%s takes %.2f ms and %.4f ms a sample";
        return String.format(Locale.ROOT, words, worker, line.alphaNs() / 1e6, line.betaNs() / 1e6);
    }

    /** How long a step of these shares takes, with the wait that stays; ns. */
    double stepNs(List<WorkerId> ranks, List<Integer> shares) {
        List<StepTime> times = times(ranks);
        return idleNs
                + IntStream.range(0, shares.size())
                        .mapToDouble(i -> times.get(i).predictNs(shares.get(i)))
                        .max()
                        .orElse(0);
    }

    /**
     * Standard error of what other shares would save, ns: of the time of the worker that is last,
     * and of that in which all would be done, which each worker moves by its part of the speed.
     */
    double errorNs(List<WorkerId> ranks, List<Integer> shares) {
        List<StepTime> times = times(ranks);
        double speed = times.stream().mapToDouble(Speeds::speed).sum();
        int last = 0;
        double squares = 0;
        for (int i = 0; i < times.size(); i++) {
            double errorNs = fit(ranks.get(i)).errorNs();
            double moved = errorNs * speed(times.get(i)) / speed;
            squares += moved * moved;
            if (times.get(i).predictNs(shares.get(i))
                    > times.get(last).predictNs(shares.get(last))) {
                last = i;
            }
        }
        return Math.hypot(fit(ranks.get(last)).errorNs(), Math.sqrt(squares));
    }

    private static double speed(StepTime time) {
        return 1 / Math.max(time.betaNs(), Double.MIN_NORMAL);
    }

    private List<StepTime> lines(List<WorkerId> ranks) {
        Map<WorkerId, StepTime> lines = new HashMap<>();
        ranks.stream().filter(this::isKnown).forEach(worker -> lines.put(worker, line(worker)));
        StepTime usual =
                StepTime.mean(ranks.stream().map(lines::get).filter(l -> l != null).toList());
        lines.putAll(alike(ranks.stream().filter(this::isOnlyTried).toList()));
        return ranks.stream().map(worker -> lines.getOrDefault(worker, usual)).toList();
    }

    private boolean isOnlyTried(WorkerId worker) {
        return isMeasured(worker) && !stepped.contains(worker);
    }

    /**
     * A trial is short and rough: of workers that came out nearly alike each is planned with the
     * mean of them, so that equal machines begin with equal shares. Steps will tell more.
     */
    private Map<WorkerId, StepTime> alike(List<WorkerId> tried) {
        List<WorkerId> byTime =
                tried.stream().sorted(Comparator.comparingDouble(this::nsOfASample)).toList();
        Map<WorkerId, StepTime> alike = new HashMap<>();
        int from = 0;
        for (int to = 1; to <= byTime.size(); to++) {
            double least = nsOfASample(byTime.get(from));
            if (to == byTime.size() || nsOfASample(byTime.get(to)) > ALIKE * least) {
                List<WorkerId> group = byTime.subList(from, to);
                StepTime mean = StepTime.mean(group.stream().map(this::line).toList());
                group.forEach(worker -> alike.put(worker, mean));
                from = to;
            }
        }
        return alike;
    }

    /** Of the shares that it tried, in the mean. */
    private double nsOfASample(WorkerId worker) {
        StepTimeFit fit = fit(worker);
        return fit.t() / fit.b();
    }

    private StepTime line(WorkerId worker) {
        StepTimeGuess guess = guesses.get(worker);
        return guess == null || isMeasured(worker) ? fit(worker).lateLine() : guess.line();
    }

    /**
     * As long as steps have one share, the guess says how much of their time is not for samples.
     */
    private SpeedTracker shaped(WorkerId worker, SpeedTracker measured) {
        StepTimeGuess guess = guesses.get(worker);
        return guess == null ? measured : measured.shapedBy(guess);
    }

    private SpeedTracker tracker(WorkerId worker) {
        return byWorker.getOrDefault(worker, SpeedTracker.unknown(following));
    }
}

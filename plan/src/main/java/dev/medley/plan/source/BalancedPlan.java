package dev.medley.plan.source;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Balance;
import dev.medley.plan.policy.BatchRoom;
import dev.medley.plan.policy.Lateness;
import dev.medley.plan.policy.MachineKind;
import dev.medley.plan.policy.MemoryBounds;
import dev.medley.plan.policy.WaterFilling;
import dev.medley.profile.speed.StepTime;
import dev.medley.profile.speed.StepTimeGuess;
import dev.medley.profile.speed.TrackingOptions;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes shares follow measured speed. It learns how long each worker's steps take, wishes for
 * another plan when {@link Balance} says that it pays, and cuts the batch of every new group by
 * what it knows.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class BalancedPlan implements PlanSource {
    /** The fewest observations of each worker by which a plan is judged. */
    private static final int SETTLE_OBSERVATIONS = 2;

    /** Steps between two exchanges from which on a round's time is a mean by itself. */
    private static final int LONG_ROUND = 8;

    private final SharePlan even;
    private final Balance policy;
    private final long lastStep;
    private final Speeds speeds;
    private final boolean takesRowsAnew;

    private List<WorkerId> ranks = List.of();
    private List<Integer> shares = List.of();
    private MemoryBounds rooms = new MemoryBounds(BatchRoom.UNLIMITED);
    private @Nullable Stragglers stragglers;
    private Balance.@Nullable Decision wished;
    private int stepsOfPlan;
    private double changeNs;

    /**
     * Nothing is known yet.
     *
     * @param even cuts the batch as long as no speed is known
     * @param policy decides whether shares change
     * @param lastStep of the run
     */
    public BalancedPlan(SharePlan even, Balance policy, long lastStep) {
        this(even, policy, lastStep, new Speeds(), false);
    }

    private BalancedPlan(
            SharePlan even, Balance policy, long lastStep, Speeds speeds, boolean takesRowsAnew) {
        this.even = even;
        this.policy = policy;
        this.lastStep = lastStep;
        this.speeds = speeds;
        this.takesRowsAnew = takesRowsAnew;
    }

    /**
     * For a strategy that exchanges once in so many steps. Where a step of the run is a round of
     * many batches, its time is a mean already: each is an observation by itself, and shares can
     * change after two of them.
     */
    public static BalancedPlan of(SharePlan even, int syncEvery, long lastStep) {
        return syncEvery < LONG_ROUND
                ? new BalancedPlan(even, Balance.of(even.batch()), lastStep)
                : ofRounds(even, lastStep);
    }

    /** For steps that are long. */
    public static BalancedPlan ofRounds(SharePlan even, long lastStep) {
        return ofRounds(even, Balance.ofRounds(even.batch()), lastStep);
    }

    /**
     * For steps that each take all samples, which a worker reads when it gets its share and keeps.
     * So the first step under a plan says what the change to it cost, and nothing of speed; and
     * since such jobs often end long before their last step, no more steps count than were taken.
     */
    public static BalancedPlan ofAllSamples(SharePlan even, long lastStep) {
        return new BalancedPlan(
                even,
                Balance.ofRounds(even.batch()),
                lastStep,
                new Speeds(TrackingOptions.ROUNDS),
                true);
    }

    /** The same for rounds, with a policy. */
    static BalancedPlan ofRounds(SharePlan even, Balance policy, long lastStep) {
        return new BalancedPlan(even, policy, lastStep, new Speeds(TrackingOptions.ROUNDS), false);
    }

    /** A worker that is late again and again gets less at once, by what its last steps took. */
    public BalancedPlan shrinking(double bound) {
        stragglers = new Stragglers(bound);
        return this;
    }

    /** Nobody gets more at once than its machine has memory for. */
    public BalancedPlan within(BatchRoom room) {
        rooms = new MemoryBounds(room);
        return this;
    }

    /** Plans of another batch by what is known here. */
    BalancedPlan of(int batch) {
        BalancedPlan other =
                new BalancedPlan(
                        even.of(batch), policy.with(batch), lastStep, speeds, takesRowsAnew);
        other.rooms = rooms;
        other.stragglers = stragglers;
        return other;
    }

    /** The largest batch for which these workers have memory. */
    int mostSamples(List<WorkerId> workers) {
        return rooms.mostSamples(workers);
    }

    /** What is known of the workers. */
    Speeds speeds() {
        return speeds;
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        List<WorkerId> members = group.members().stream().map(Member::worker).toList();
        if (!members.equals(ranks)) {
            wished = null; // It was meant for others.
        }
        ranks = members;
        Plan plan =
                ranks.stream().anyMatch(speeds::isKnown)
                        ? measured(version)
                        : fitting(even.plan(group, version, committedStep));
        shares = plan.shares();
        rooms.planned(ranks, shares);
        wished = null;
        stepsOfPlan = 0;
        return plan;
    }

    @Override
    public TrialScope comes(WorkerId worker, MachineKind machine) {
        return TrialScope.FULL.atMost(rooms.comes(worker, machine));
    }

    @Override
    public @Nullable String outOfMemory(String machine) {
        return rooms.cut(machine);
    }

    @Override
    public void guessed(WorkerId worker, StepTimeGuess guess) {
        speeds.guessed(worker, guess);
    }

    @Override
    public void joins(WorkerId worker, List<Measured> tried) {
        speeds.joins(worker, tried);
    }

    /** The next plan is by a guess, and two observations of it are enough to correct that. */
    @Override
    public String resized(WorkerId worker, MachineKind machine, double faster) {
        rooms.comes(worker, machine);
        speeds.resized(worker, faster);
        if (stragglers != null) {
            stragglers.forget(worker);
        }
        wished = null;
        return "shares follow";
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        stepsOfPlan++;
        if (takesRowsAnew && stepsOfPlan == 1) {
            changeNs = Math.max(0, longestNs(byWorker) - usualNs());
            return;
        }
        Stragglers watched = stragglers;
        if (watched != null) {
            watched.stepped(byWorker, speeds);
        }
        speeds.stepped(byWorker);
        if (watched != null && wished == null && ranks.size() > 1) {
            wished = shrunk(watched, byWorker);
        }
    }

    private static double longestNs(Map<WorkerId, Measured> byWorker) {
        return byWorker.values().stream()
                .mapToDouble(m -> (double) m.computeNs() + m.exchangeNs() + m.waitingNs())
                .max()
                .orElse(0);
    }

    /** Of a step with these shares. */
    private double usualNs() {
        List<StepTime> times = speeds.times(ranks);
        return IntStream.range(0, times.size())
                .mapToDouble(rank -> times.get(rank).predictNs(shares.get(rank)))
                .max()
                .orElse(0);
    }

    /**
     * Less for the first that is a straggler; null if nobody is, or who is late is fast even so.
     */
    private Balance.@Nullable Decision shrunk(
            Stragglers watched, Map<WorkerId, Measured> byWorker) {
        for (int rank = 0; rank < ranks.size(); rank++) {
            WorkerId worker = ranks.get(rank);
            Measured measured = byWorker.get(worker);
            Lateness late = watched.of(worker);
            // While a wish waited its late steps went by: one in time does not say how slow it is.
            if (measured != null && late.isStraggler() && late.isLate()) {
                watched.forget(worker);
                speeds.becomes(worker, measured.share(), (double) measured.computeNs());
                List<Integer> best = byTime();
                String why = "%s: shares change from %s to %s at once";
                String sentence = why.formatted(late.why(worker.toString()), shares, best);
                return best.get(rank) < shares.get(rank)
                        ? new Balance.Decision(best, true, sentence)
                        : null;
            }
        }
        return null;
    }

    @Override
    public @Nullable String wish(long step) {
        if (wished != null) {
            return wished.why(); // Until it is granted: the group may take some steps more.
        }
        int observations = takesRowsAnew ? stepsOfPlan - 1 : stepsOfPlan;
        if (observations < SETTLE_OBSERVATIONS * speeds.window()
                || !ranks.stream().allMatch(speeds::isMeasured)) {
            return null;
        }
        Balance.Decision decision =
                policy.decide(
                        new Balance.Measured(
                                ranks.stream().map(WorkerId::toString).toList(),
                                shares,
                                speeds.times(ranks),
                                rooms.caps(even.batch(), ranks),
                                speeds.errorNs(ranks, shares),
                                speeds.idleNs(),
                                takesRowsAnew ? Math.min(step, lastStep - step) : lastStep - step,
                                changeNs));
        wished = decision.isChange() && isSureOfLosers(decision.shares()) ? decision : null;
        return wished == null ? null : wished.why();
    }

    /** Nobody gets less for a single observation, which may have been of a pause. */
    private boolean isSureOfLosers(List<Integer> next) {
        return IntStream.range(0, next.size())
                .filter(rank -> next.get(rank) < shares.get(rank))
                .allMatch(rank -> speeds.fit(ranks.get(rank)).isSettled());
    }

    /** As was wished, unless somebody came or left meanwhile. */
    private Plan measured(int version) {
        if (wished != null) {
            String why = wished.why() + rooms.limits(ranks, wished.shares());
            return even.cut(version, wished.shares(), why);
        }
        List<Integer> best = byTime();
        boolean isMeasured = ranks.stream().anyMatch(speeds::isMeasured);
        String reason =
                "%s %d is cut into %s by %s speed%s%s"
                        .formatted(
                                even.what(),
                                even.batch(),
                                best,
                                isMeasured ? "measured" : "guessed",
                                speeds.guesses(ranks),
                                rooms.limits(ranks, best));
        return even.cut(version, best, reason);
    }

    private List<Integer> byTime() {
        return split(speeds.times(ranks));
    }

    private List<Integer> split(List<StepTime> times) {
        int least = even.batch() >= ranks.size() ? 1 : 0;
        List<Integer> caps = rooms.caps(even.batch(), ranks);
        return WaterFilling.split(
                even.batch(),
                IntStream.range(0, times.size())
                        .mapToObj(i -> new WaterFilling.Vessel(times.get(i), least, caps.get(i)))
                        .toList());
    }

    /** The plan; where a share is too much for its machine, the others have more in proportion. */
    private Plan fitting(Plan plan) {
        List<Integer> wanted = plan.shares();
        List<Integer> caps = rooms.caps(even.batch(), ranks);
        if (IntStream.range(0, caps.size()).allMatch(i -> wanted.get(i) <= caps.get(i))) {
            return plan;
        }
        List<Integer> best =
                split(wanted.stream().map(s -> new StepTime(0, 1.0 / Math.max(1, s))).toList());
        String why = "%s %d is cut into %s%s";
        String limits = rooms.limits(ranks, best);
        return even.cut(
                plan.version(), best, why.formatted(even.what(), even.batch(), best, limits));
    }
}

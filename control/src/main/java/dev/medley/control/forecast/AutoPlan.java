package dev.medley.control.forecast;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.base.job.StrategySpec;
import dev.medley.control.planner.PlanSource;
import dev.medley.control.planner.SharePlan;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.speed.SpeedTracker;
import dev.medley.profile.speed.StepTime;
import dev.medley.profile.speed.StepTimeFit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code strategy: auto}: chooses before the first step, when workers have said how fast they are.
 * Ways between machines are measured while a group forms, so machines form one group that takes no
 * step, for a look; the next one begins with the choice, by assumed ways if nothing was measured.
 * From then on this is the plan source of the chosen strategy. The choice holds for the whole run:
 * steps, checkpoints and recorded plans are counted in its rounds. After some steps it compares
 * what was predicted with what is measured, and says so once.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class AutoPlan implements PlanSource {
    /** Why there is nothing to choose where all workers stand on one machine. */
    public static final String ONE_MACHINE = "all workers are processes of one machine";

    private static final String LOOK = "auto: a look at the ways between machines, no step yet";

    private final Terms terms;
    private final Function<StrategySpec, PlanSource> planning;
    private final Map<WorkerId, String> machines = new HashMap<>();
    private final Map<WorkerId, List<Measured>> tried = new HashMap<>();

    private List<WorkerId> ranks = List.of();
    private @Nullable PlanSource chosen;
    private @Nullable AutoChoice choice;
    private @Nullable ForecastCheck check;
    private @Nullable String remark;
    private @Nullable ClusterProfile measured;
    private boolean isCompared;
    private boolean hasLooked;
    private boolean isLooking;

    /**
     * What a choice rests on beside the workers.
     *
     * @param facts of the job
     * @param open the job's strategy, with the transport, buckets and shares that all candidates
     *     have
     * @param worth of samples under each strategy
     * @param ways machines of a group in order of rank, and what is known of the ways between them
     *     before any was measured
     */
    public record Terms(
            ModelFacts facts,
            StrategySpec open,
            EfficiencyTable worth,
            Function<Group, ClusterProfile> ways) {}

    /**
     * Nothing is chosen yet.
     *
     * @param planning makes the plan source of the strategy that is chosen; called once
     */
    public AutoPlan(Terms terms, Function<StrategySpec, PlanSource> planning) {
        this.terms = terms;
        this.planning = planning;
    }

    /** A choice needs to know how times grow with shares: what is not chosen yet is tried. */
    @Override
    public TrialScope comes(WorkerId worker, String machine) {
        machines.put(worker, machine);
        return chosen == null ? TrialScope.FULL : chosen.comes(worker, machine);
    }

    @Override
    public void joins(WorkerId worker, List<Measured> shares) {
        tried.put(worker, shares);
        if (chosen != null) {
            chosen.joins(worker, inRounds(shares));
        }
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        AutoChoice made = choice;
        PlanSource source = chosen;
        isLooking = made == null && !hasLooked && !isTogether(group);
        if (isLooking) {
            hasLooked = true;
            Plan even = new SharePlan(terms.facts().batch(), 1, List.of()).plan(group, version, 0);
            return new Plan(version, even.shares(), even.microBatch(), LOOK);
        }
        if (made == null || source == null) {
            made = choose(group);
            choice = made;
            ranks = workers(group);
            source = planning.apply(made.chosen().candidate().strategy());
            chosen = source;
            PlanSource first = source;
            tried.forEach(
                    (worker, shares) -> {
                        first.comes(worker, machines.getOrDefault(worker, ""));
                        first.joins(worker, inRounds(shares));
                    });
            return saying(made.why(), source.plan(group, version, committedStep));
        }
        check = check != null && ranks.equals(workers(group)) ? new ForecastCheck(made) : null;
        return source.plan(group, version, committedStep);
    }

    @Override
    public void knows(ClusterProfile cluster) {
        measured = cluster;
    }

    /** A group that is formed for a look ends at once. */
    @Override
    public long lastStep(long committedStep) {
        return isLooking ? committedStep : Long.MAX_VALUE;
    }

    @Override
    public @Nullable StrategySpec strategy() {
        return choice == null ? null : choice.chosen().candidate().strategy();
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        if (chosen != null) {
            chosen.stepped(step, byWorker);
        }
        if (check != null) {
            check.computed(
                    byWorker.values().stream().mapToLong(Measured::computeNs).max().orElse(0));
        }
    }

    @Override
    public void took(long samples, long stepNs) {
        if (check != null && !isCompared) {
            remark = check.took(samples, stepNs);
            isCompared = remark != null;
        }
    }

    @Override
    public @Nullable String remark() {
        String said = remark;
        remark = null;
        return said;
    }

    @Override
    public @Nullable String wish(long step) {
        return chosen == null ? null : chosen.wish(step);
    }

    @Override
    public Map<WorkerId, String> sitsOut(long step) {
        return chosen == null ? Map.of() : chosen.sitsOut(step);
    }

    @Override
    public Map<WorkerId, Integer> tries(long step) {
        return chosen == null ? Map.of() : chosen.tries(step);
    }

    @Override
    public void tried(WorkerId worker, Measured alone) {
        if (chosen != null) {
            chosen.tried(worker, alone);
        }
    }

    @Override
    public Map<WorkerId, String> comesBack(long step) {
        return chosen == null ? Map.of() : chosen.comesBack(step);
    }

    @Override
    public @Nullable String outOfMemory() {
        return chosen == null ? null : chosen.outOfMemory();
    }

    private AutoChoice choose(Group group) {
        List<WorkerId> workers = workers(group);
        List<StepTime> times = StepTimeFit.lines(workers.stream().map(this::fit).toList());
        ClusterProfile cluster = cluster(group);
        Forecaster forecaster = new Forecaster(terms.facts(), cluster, times, terms.worth(), null);
        List<Forecast> table = forecaster.of(Candidate.all(terms.open(), cluster.sites().size()));
        if (group.size() == 1) {
            return AutoChoice.plain(table, "one worker exchanges with nobody");
        }
        if (isTogether(group)) {
            return AutoChoice.plain(table, ONE_MACHINE);
        }
        if (workers.stream().noneMatch(worker -> fit(worker).isKnown())) {
            return AutoChoice.plain(table, "no worker has said how fast it is");
        }
        AutoChoice made = AutoChoice.of(table, terms.facts(), forecaster.leastKnownWay());
        check = new ForecastCheck(made);
        return made;
    }

    private static List<WorkerId> workers(Group group) {
        return group.members().stream().map(Member::worker).toList();
    }

    /** What was measured, if it is of these members: one machine each. */
    private ClusterProfile cluster(Group group) {
        ClusterProfile known = measured;
        return known != null && known.size() == group.size() ? known : terms.ways().apply(group);
    }

    private static boolean isTogether(Group group) {
        return group.size() == 1 || group.isOnOneHost() && group.sites().size() == 1;
    }

    private StepTimeFit fit(WorkerId worker) {
        return fit(tried.getOrDefault(worker, List.of()));
    }

    private static StepTimeFit fit(List<Measured> shares) {
        SpeedTracker guess = SpeedTracker.unknown();
        for (Measured share : shares) {
            guess = guess.tried(share.share(), (double) share.computeNs());
        }
        return guess.fit();
    }

    /**
     * Workers that did not know of rounds tried a batch; a round's share is many of them, each of
     * which costs anew what a batch costs beside its samples.
     */
    private List<Measured> inRounds(List<Measured> shares) {
        AutoChoice made = Objects.requireNonNull(choice);
        int inner = terms.facts().innerBatch();
        int workers = Math.max(1, terms.facts().batch() / inner);
        int equal =
                Math.max(
                        1, made.chosen().candidate().syncEvery() * terms.facts().batch() / workers);
        boolean isOfBatches = shares.stream().allMatch(s -> s.share() <= terms.facts().batch());
        if (!made.chosen().candidate().hasRounds() || shares.isEmpty() || !isOfBatches) {
            return shares;
        }
        double batchNs = fit(shares).line().predictNs(inner);
        return List.of(Measured.alone(equal, (long) (batchNs * equal / inner)));
    }

    private static Plan saying(String why, Plan plan) {
        return new Plan(plan.version(), plan.shares(), plan.microBatch(), why + "; " + plan.why());
    }
}

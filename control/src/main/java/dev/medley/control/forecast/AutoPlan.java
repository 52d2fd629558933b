package dev.medley.control.forecast;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.job.StrategySpec;
import dev.medley.control.planner.PlanSource;
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
 * {@code strategy: auto}: chooses when the first group is about to form, since only then workers
 * have said how fast they are; from then on it is the plan source of the chosen strategy. The
 * choice holds for the whole run: steps, checkpoints and recorded plans are counted in its rounds.
 * After some steps it compares what was predicted with what is measured, and says so once.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class AutoPlan implements PlanSource {
    /** Why there is nothing to choose where all workers stand on one machine. */
    public static final String ONE_MACHINE = "all workers are processes of one machine";

    private final Terms terms;
    private final Function<StrategySpec, PlanSource> planning;
    private final Map<WorkerId, List<Measured>> tried = new HashMap<>();

    private List<WorkerId> ranks = List.of();
    private @Nullable PlanSource chosen;
    private @Nullable AutoChoice choice;
    private @Nullable ForecastCheck check;
    private @Nullable String remark;
    private boolean isCompared;

    /**
     * What a choice rests on beside the workers.
     *
     * @param facts of the job
     * @param open the job's strategy, with the transport, buckets and shares that all candidates
     *     have
     * @param worth of samples under each strategy
     * @param ways machines of a group in order of rank, and what is known of the ways between them
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
        if (made == null || source == null) {
            made = choose(group);
            choice = made;
            ranks = workers(group);
            source = planning.apply(made.chosen().candidate().strategy());
            chosen = source;
            PlanSource first = source;
            tried.forEach((worker, shares) -> first.joins(worker, inRounds(shares)));
            return saying(made.why(), source.plan(group, version, committedStep));
        }
        check = check != null && ranks.equals(workers(group)) ? new ForecastCheck(made) : null;
        return source.plan(group, version, committedStep);
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
    public @Nullable String outOfMemory() {
        return chosen == null ? null : chosen.outOfMemory();
    }

    private AutoChoice choose(Group group) {
        List<WorkerId> workers = workers(group);
        List<StepTime> times = times(workers);
        ClusterProfile cluster = terms.ways().apply(group);
        Forecaster forecaster = new Forecaster(terms.facts(), cluster, times, terms.worth(), null);
        List<Forecast> table = forecaster.of(Candidate.all(terms.open(), cluster.sites().size()));
        if (group.size() == 1) {
            return AutoChoice.plain(table, "one worker exchanges with nobody");
        }
        if (group.isOnOneHost() && group.sites().size() == 1) {
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

    /** A worker of which nothing is known is taken for the mean of the others. */
    private List<StepTime> times(List<WorkerId> workers) {
        List<StepTime> known =
                workers.stream()
                        .map(this::fit)
                        .filter(StepTimeFit::isKnown)
                        .map(StepTimeFit::line)
                        .toList();
        StepTime usual =
                new StepTime(
                        known.stream().mapToDouble(StepTime::alphaNs).average().orElse(0),
                        known.stream().mapToDouble(StepTime::betaNs).average().orElse(1));
        return workers.stream()
                .map(this::fit)
                .map(fit -> fit.isKnown() ? fit.line() : usual)
                .toList();
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
        return List.of(new Measured(equal, (long) (batchNs * equal / inner), 0));
    }

    private static Plan saying(String why, Plan plan) {
        return new Plan(plan.version(), plan.shares(), plan.microBatch(), why + "; " + plan.why());
    }
}

package dev.medley.plan.forecast;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.efficiency.Efficiency;
import dev.medley.plan.efficiency.EfficiencyTable;
import dev.medley.plan.policy.MachineKind;
import dev.medley.plan.policy.MemoryCaps;
import dev.medley.plan.source.PlanAround;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.SharePlan;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.speed.StepTime;
import dev.medley.profile.speed.StepTimeFit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the strategy of {@code strategy: auto} before the first step, by how fast workers report
 * to be. Paths between machines are measured while a group forms, so machines form one group that
 * takes no step, only for that survey; the next one begins with the choice, by assumed paths if
 * nothing was measured. {@link PathSurveys} repeats the survey before it leads to a choice that
 * costs precision. From then on this is the plan source of the chosen strategy. A resumed run
 * surveys as well, and keeps what it had chosen until the comparison speaks against it.
 *
 * <p>It compares the prediction with the measurements again and again, and reports the result once.
 * It asks anew each time what samples are worth, and reports that where it has changed by much.
 * Where {@link SwitchPolicy} finds another strategy better twice in a row, it wishes for a new
 * group, and hands over to the plan source of that strategy: from the next step on a step is a
 * round of it.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class AutoPlan extends PlanAround {
    /** Why there is nothing to choose where all workers stand on one machine. */
    public static final String ONE_MACHINE = "all workers are processes of one machine";

    private static final String LOOK = "auto: a look at the ways between machines, no step yet";

    private static final String LOOK_AGAIN =
            "auto: another look at the ways, since what is chosen by them costs precision, no step"
                    + " yet";

    /** By so much the worth of a sample has to have changed to be spoken of again. */
    private static final double WORTH_SAYING = 0.1;

    private static final double NS_PER_SECOND = 1e9;

    /** Before there is a choice. */
    private static final PlanSource UNDECIDED =
            (group, version, committedStep) -> {
                throw new IllegalStateException("no strategy is chosen yet");
            };

    private final Terms terms;
    private final Planning planning;
    private final WorkerSpeeds paces;
    private final Map<WorkerId, MachineKind> machines = new HashMap<>();

    private List<WorkerId> ranks = List.of();
    private @Nullable Group present;
    private @Nullable Candidate running; // What source plans; null as long as it is UNDECIDED.
    private @Nullable AutoChoice choice; // Null as long as nothing could be foretold.
    private @Nullable Forecaster by; // Null where nothing is foretold of the present group.
    private @Nullable ForecastCheck check;
    private @Nullable String remark;
    private @Nullable ClusterProfile measured;
    private @Nullable LinkReport surveyed;
    private boolean isCompared;
    private boolean isLooking;
    private boolean isOutdated; // A member is not as fast as it was when the group was foretold.
    private final PathSurveys looks = new PathSurveys();

    private final Switching switching = new Switching();
    private @Nullable Efficiency said; // What a sample is worth under what runs.
    private double samplesDone;
    private double trainedNs;

    /** Makes the plans of a strategy. */
    @FunctionalInterface
    public interface Planning {
        /**
         * The plan source of a strategy that was chosen.
         *
         * @param committedStep for the steps after this one
         * @param trainedNs in which the run came to it
         */
        PlanSource of(StrategySpec strategy, long committedStep, long trainedNs);
    }

    /**
     * What a choice rests on beside the workers.
     *
     * @param facts of the job
     * @param open the job's strategy, with the transport, buckets and shares that all candidates
     *     have
     * @param worth of samples under each strategy, as far as it is known when it is asked for
     * @param ways machines of a group in order of rank, and what is known of the ways between them
     *     before any was measured
     * @param caps where memory ran out
     */
    public record Terms(
            ModelFacts facts,
            StrategySpec open,
            Supplier<EfficiencyTable> worth,
            Function<Group, ClusterProfile> ways,
            MemoryCaps caps) {}

    /**
     * What a run did before it was gone on with.
     *
     * @param strategy that it chose last
     * @param source of the plans to come under it
     * @param samplesDone so far
     */
    public record Before(StrategySpec strategy, PlanSource source, double samplesDone) {}

    /**
     * Nothing is chosen yet.
     *
     * @param planning makes the plan source of the strategy that is chosen; called for each
     */
    public AutoPlan(Terms terms, Planning planning) {
        super(UNDECIDED);
        this.terms = terms;
        this.planning = planning;
        this.paces = new WorkerSpeeds(terms.facts());
    }

    /** A run that has chosen goes on; {@code planning} is for what it may change to. */
    public AutoPlan(Terms terms, Planning planning, Before before) {
        this(terms, planning);
        this.running = new Candidate(before.strategy());
        this.source = before.source();
        this.samplesDone = before.samplesDone();
    }

    /** A forecast needs to know how times grow with shares: until there is one that is tried. */
    @Override
    public TrialScope comes(WorkerId worker, MachineKind machine) {
        machines.put(worker, machine);
        if (running == null) {
            return TrialScope.FULL.atMost(terms.caps().of(machine.type()));
        }
        TrialScope asked = source.comes(worker, machine);
        return choice == null ? TrialScope.FULL.atMost(asked.mostSamples()) : asked;
    }

    @Override
    public void joins(WorkerId worker, List<Measured> shares) {
        paces.joins(worker, shares);
        if (running != null) {
            source.joins(worker, paces.asShares(shares, running));
        }
    }

    /** What was foretold of the group that it is in counts no more. */
    @Override
    public @Nullable String resized(WorkerId worker, MachineKind machine, double faster) {
        machines.put(worker, machine);
        paces.resized(worker, faster);
        isOutdated = true;
        return super.resized(worker, machine, faster);
    }

    @Override
    public void leaves(WorkerId worker) {
        switching.comeBack(List.of(worker)); // Nobody waits for it any more.
        machines.remove(worker);
        paces.leaves(worker);
        super.leaves(worker);
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        switching.comeBack(workers(group)); // Where nobody else holds the state, one stays.
        isLooking = choice == null && looks.taken() == 0 && !isTogether(group);
        if (isLooking) {
            return look(group, version, committedStep);
        }
        if (running == null) {
            AutoChoice made = choose(group);
            isLooking = looks.wantsAnother(made.costsPrecision());
            return isLooking
                    ? look(group, version, committedStep)
                    : begin(made, looks.words(), group, version, committedStep);
        }
        SwitchPolicy.Decision decided = switching.atBorder();
        if (decided != null && decided.next() != null && !isTogether(group)) {
            switching.granted();
            isCompared = false; // What is predicted of the other is compared again.
            by = isAsForetold(group) ? decided.asSeen() : null;
            return begin(decided.next(), "", group, version, committedStep);
        }
        boolean isFirst = ranks.isEmpty();
        AutoChoice made = choice;
        if (!isAsForetold(group)) {
            made = foreseen(group, running);
            choice = made == null ? choice : made;
        }
        watch(group, made);
        Plan plan = source.plan(group, version, committedStep);
        return isFirst ? saying("auto: goes on with " + running.name(), plan) : plan;
    }

    private boolean isAsForetold(Group group) {
        return !isOutdated && ranks.equals(workers(group));
    }

    private Plan look(Group group, int version, long committedStep) {
        looks.begins();
        String why = looks.taken() == 1 ? LOOK : LOOK_AGAIN;
        if (running != null) {
            return saying(why, source.plan(group, version, committedStep));
        }
        Plan even = new SharePlan(terms.facts().batch(), 1, List.of()).plan(group, version, 0);
        return new Plan(version, even.shares(), even.microBatch(), why);
    }

    /** The plan source of a strategy, with all that the one before was told. */
    private Plan begin(
            AutoChoice made, String basis, Group group, int version, long committedStep) {
        choice = made;
        said = made.chosen().efficiency();
        switching.began();
        Candidate candidate = made.chosen().candidate();
        running = candidate;
        source = planning.of(candidate.strategy(), committedStep, (long) trainedNs);
        machines.forEach(source::comes);
        paces.workers().forEach(w -> source.joins(w, paces.under(w, candidate)));
        if (measured != null) {
            source.knows(measured);
        }
        watch(group, isTogether(group) ? null : made);
        return saying(made.why() + basis, source.plan(group, version, committedStep));
    }

    /** Compares the steps of a group with a forecast; null for none. */
    private void watch(Group group, @Nullable AutoChoice made) {
        ranks = workers(group);
        isOutdated = false;
        present = group;
        check = made == null ? null : new ForecastCheck(made.chosen().candidate());
    }

    @Override
    public void knows(ClusterProfile cluster) {
        ClusterProfile all = looks.with(cluster);
        measured = all;
        source.knows(all);
    }

    @Override
    public void surveyed(LinkReport report) {
        LinkReport all = looks.with(report);
        surveyed = all;
        super.surveyed(all);
    }

    /** Another look measures the ways that the one before has measured. */
    @Override
    public boolean probesAnew() {
        return isLooking && looks.taken() > 1 || super.probesAnew();
    }

    /** A group that is formed for a look ends at once. */
    @Override
    public long lastStep(long committedStep) {
        return isLooking ? committedStep : Long.MAX_VALUE;
    }

    @Override
    public @Nullable StrategySpec strategy() {
        StrategySpec byItsPlans = source.strategy();
        return running == null || byItsPlans != null ? byItsPlans : running.strategy();
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        source.stepped(step, byWorker);
        if (check != null) {
            check.computed(
                    byWorker.values().stream().mapToLong(Measured::computeNs).max().orElse(0));
        }
        Candidate under = running;
        if (under != null) {
            byWorker.forEach((worker, took) -> paces.stepped(worker, took, under));
        }
    }

    @Override
    public void took(long samples, long stepNs) {
        samplesDone += samples;
        trainedNs += stepNs;
        source.took(samples, stepNs);
        foreseeIfPossibleByNow();
        ForecastCheck.Seen steps = check == null ? null : check.took(samples, stepNs);
        AutoChoice made = choice;
        Forecaster forecaster = by;
        if (steps != null && made != null && forecaster != null && switching.wished() == null) {
            reconsider(made, forecaster, steps);
        }
    }

    /** Workers that tried nothing before they came have said by their steps how fast they are. */
    private void foreseeIfPossibleByNow() {
        Group group = present;
        Candidate candidate = running;
        if (choice == null && group != null && candidate != null) {
            choice = foreseen(group, candidate);
            watch(group, choice);
        }
    }

    private void reconsider(AutoChoice before, Forecaster known, ForecastCheck.Seen steps) {
        Forecaster forecaster = known.with(terms.worth().get());
        AutoChoice made = before.by(forecaster);
        sayWhatItIsWorth(made.chosen().efficiency());
        by = forecaster;
        choice = made;
        SwitchPolicy.Decision decision =
                switching.judge(made, forecaster, steps, samplesLeft(steps.samplesPerSecond()));
        if (!isCompared) {
            say(decision.why());
            isCompared = true;
        }
    }

    /** Evaluations of this run, beside those of earlier ones, may say another thing. */
    private void sayWhatItIsWorth(Efficiency now) {
        Efficiency before = said;
        boolean isNews =
                before != null && Math.abs(before.counted() - now.counted()) > WORTH_SAYING;
        if (before == null || isNews) {
            said = now;
        }
        if (before != null && isNews) {
            say(
                    "auto: as this job learns, a sample counts %s, and not %s (%s)"
                            .formatted(now.words(), before.words(), now.why()));
        }
    }

    private void say(String words) {
        remark = remark == null ? words : remark + "; " + words;
    }

    private double samplesLeft(double samplesPerSecond) {
        double seconds = terms.facts().budget().seconds();
        double inTime =
                seconds > 0
                        ? (seconds - trainedNs / NS_PER_SECOND) * samplesPerSecond
                        : Double.POSITIVE_INFINITY;
        return Math.max(0, Math.min(terms.facts().budgetSamples() - samplesDone, inTime));
    }

    @Override
    public @Nullable String remark() {
        String said = remark;
        remark = null;
        return said == null ? source.remark() : said;
    }

    @Override
    public @Nullable String wish(long step) {
        SwitchPolicy.Decision decided = switching.wished();
        return decided == null ? source.wish(step) : decided.why();
    }

    @Override
    public Map<WorkerId, String> sitsOut(long step) {
        Map<WorkerId, String> out = source.sitsOut(step);
        switching.sitOut(out.keySet());
        return out;
    }

    @Override
    public Map<WorkerId, String> comesBack(long step) {
        Map<WorkerId, String> back = source.comesBack(step);
        switching.comeBack(back.keySet());
        return back;
    }

    @Override
    public @Nullable String outOfMemoryTrying(String machine, int samples) {
        return running == null
                ? terms.caps().cut(machine, samples)
                : source.outOfMemoryTrying(machine, samples);
    }

    private AutoChoice choose(Group group) {
        Forecaster forecaster = forecaster(group);
        List<Forecast> table = table(forecaster);
        if (group.size() == 1) {
            return AutoChoice.plain(table, "one worker exchanges with nobody");
        }
        if (isTogether(group)) {
            return AutoChoice.plain(table, ONE_MACHINE);
        }
        if (workers(group).stream().noneMatch(worker -> paces.of(worker).isKnown())) {
            return AutoChoice.plain(table, "no worker has said how fast it is");
        }
        by = forecaster;
        return AutoChoice.of(table, terms.facts(), forecaster.leastKnownWay());
    }

    /** What runs, on other machines; null where nothing can be said of them. */
    private @Nullable AutoChoice foreseen(Group group, Candidate candidate) {
        boolean isKnown = workers(group).stream().allMatch(worker -> paces.of(worker).isKnown());
        by = null;
        if (isTogether(group) || !isKnown) {
            return null;
        }
        Forecaster forecaster = forecaster(group);
        by = forecaster;
        return new AutoChoice(
                forecaster.of(candidate), table(forecaster), "auto: " + candidate.name());
    }

    private Forecaster forecaster(Group group) {
        List<StepTime> times = StepTimeFit.lines(workers(group).stream().map(paces::of).toList());
        return new Forecaster(terms.facts(), cluster(group), times, terms.worth().get(), null);
    }

    private List<Forecast> table(Forecaster forecaster) {
        int sites = forecaster.cluster().sites().size();
        return forecaster.of(Candidate.all(terms.open(), sites));
    }

    private static List<WorkerId> workers(Group group) {
        return group.members().stream().map(Member::worker).toList();
    }

    /** What was measured, if it is of these members: several may stand on one machine. */
    private ClusterProfile cluster(Group group) {
        ClusterProfile assumed = withMemory(terms.ways().apply(group), group);
        ClusterProfile known = measured;
        LinkReport report = surveyed;
        if (report != null) {
            List<List<LinkPath>> ways = report.between(workers(group));
            return ways == null ? assumed : new ClusterProfile(assumed.machines(), ways);
        }
        return known != null && known.size() == group.size() ? known : assumed;
    }

    private ClusterProfile withMemory(ClusterProfile cluster, Group group) {
        List<Machine> known = new ArrayList<>();
        for (int rank = 0; rank < group.size(); rank++) {
            WorkerId worker = group.members().get(rank).worker();
            MachineKind kind = machines.getOrDefault(worker, MachineKind.UNKNOWN);
            known.add(cluster.machines().get(rank).granting(kind.memoryBytes()));
        }
        return new ClusterProfile(known, cluster.ways());
    }

    private static boolean isTogether(Group group) {
        return group.size() == 1 || group.isOnOneHost() && group.sites().size() == 1;
    }

    private static Plan saying(String why, Plan plan) {
        return plan.with(plan.microBatch(), why + "; " + plan.why());
    }
}

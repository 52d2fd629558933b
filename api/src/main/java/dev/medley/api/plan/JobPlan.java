package dev.medley.api.plan;

import dev.medley.api.job.JobWorkers;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.Learning;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunPlans;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunStrategy;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.FamilyRules;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.PreparedData;
import dev.medley.inference.model.UserClasses;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.source.NamedBorders;
import dev.medley.profile.cluster.Machine;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.training.loop.StepSchedule;
import dev.medley.training.loop.Strategies;
import dev.medley.training.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a job: its shares, its expected speed and length, and the reasons.
 *
 * <p>Where other machines are planned for, one worker of this machine tries the job: then shares,
 * trial and samplesPerSecond are only of that worker, and the candidates say what those machines
 * would do.
 *
 * @param shares samples of each worker between two exchanges
 * @param parameters numbers that the model consists of
 * @param trainSamples of an epoch
 * @param validationSamples of an evaluation
 * @param stepsPerEpoch steps that use up an epoch, each of which ends with an exchange
 * @param steps of the whole run; {@link Long#MAX_VALUE} if only time limits it
 * @param stateBytes parameters, gradients and the strategy's state of one worker
 * @param trial what steps take, measured
 * @param samplesPerSecond expected of all workers, by the trial's mean step
 * @param candidates what each strategy would do on machines; null for processes of this one, which
 *     tried the job as it will run
 * @param sentences the plan in words, line by line
 */
public record JobPlan(
        List<Integer> shares,
        long parameters,
        long trainSamples,
        long validationSamples,
        long stepsPerEpoch,
        long steps,
        long stateBytes,
        Trial trial,
        double samplesPerSecond,
        @Nullable CandidateTable candidates,
        List<String> sentences) {
    /** What a price file calls a machine where no cluster is named. */
    private static final String THIS_TYPE = "this";

    public JobPlan {
        shares = List.copyOf(shares);
        sentences = List.copyOf(sentences);
    }

    /** Prepares the data, builds the model, and tries the job for some seconds. */
    public static JobPlan of(
            JobSpec job,
            CandidateTable.Question question,
            RunOptions options,
            RunProgress progress) {
        return of(job, question, options, progress, Trial.USUAL_MILLIS);
    }

    /** With a trial of so many milliseconds. */
    static JobPlan of(
            JobSpec job,
            CandidateTable.Question question,
            RunOptions options,
            RunProgress progress,
            long trialMillis) {
        FamilyRules.requireBatches(job, "medley plan");
        try (UserClasses classes = UserClasses.of(job);
                UserClasses.Scope here = classes.enter()) {
            return planned(JobRun.found(job), question, options, progress, trialMillis);
        }
    }

    private static JobPlan planned(
            JobSpec job,
            CandidateTable.Question question,
            RunOptions options,
            RunProgress progress,
            long trialMillis) {
        JoinSpec join = job.cluster().join();
        boolean isElsewhere = join != null || question.cluster() != null;
        JobSpec threaded = JobWorkers.withThreads(isElsewhere ? onThisMachine(job) : job);
        PlanCluster cluster = cluster(job, question);
        JobSpec elsewhere = job.with(job.cluster().with(cluster.machines().size(), 0));
        requirePrices(question, cluster);
        if (question.cluster() != null) {
            NamedBorders.require(job.strategy().codec().borders(), cluster.machines());
        }
        PreparedData data = JobRun.prepare(job, options.cache(), progress::preparing);
        progress.prepared(data);
        JobSpec resolved = threaded.of(data.trainSamples());
        JobSpec there = elsewhere.of(data.trainSamples());
        JobRun.requireSamples(resolved, data);
        JobRun.requireFit(resolved, data);
        int workers = resolved.cluster().workers();
        Plan plan = RunPlans.shares(resolved).plan(groupOf(workers), 1, 0);
        Torch.start(resolved.cluster().threads());
        try (Replica replica =
                Replica.build(
                        job.model(),
                        job.train()
                                .loss()
                                .of(data.signature().target(), data.findings().classCounts()),
                        job.train().groups(),
                        data.signature(),
                        ReplicaOptions.of(job.seed(), job.train().precision()))) {
            progress.preparing("trying the job for some seconds", 0, 0);
            Trial trial = Trial.of(resolved, options, trialMillis);
            CandidateTable table =
                    isElsewhere
                            ? CandidateTable.of(
                                    there,
                                    facts(there, data),
                                    cluster,
                                    (double) trial.ownNs() * workers / resolved.roundSamples(),
                                    Learning.of(there, data, options, Clock.system()).worth(),
                                    question.prices())
                            : null;
            JobPlan figures = of(resolved, data, plan, replica, trial, table);
            int sites = cluster.profile().sites().size();
            return figures.saying(
                    isElsewhere
                            ? PlanSentences.ofMachines(
                                    there,
                                    resolved,
                                    data,
                                    figures,
                                    machines(question, there.cluster()),
                                    sites)
                            : PlanSentences.of(
                                    resolved, data, plan, figures, question.prices(), cluster));
        }
    }

    /** On machines that join, shares follow speed unless the job says otherwise. */
    private static ModelFacts facts(JobSpec job, PreparedData data) {
        ModelFacts facts = RunStrategy.facts(job, data);
        StrategySpec strategy = job.strategy();
        return strategy.shares().isEmpty() && strategy.balance() != StrategySpec.Balance.NONE
                ? facts.followingSpeed()
                : facts;
    }

    private static PlanCluster cluster(JobSpec job, CandidateTable.Question question) {
        PlanCluster asked = question.cluster();
        if (asked != null) {
            return asked;
        }
        Machine here =
                new Machine(
                        "here", Member.NO_SITE, THIS_TYPE, Runtime.getRuntime().maxMemory(), null);
        int workers = job.cluster().workers();
        return job.cluster().join() == null
                ? PlanCluster.joining(1, here)
                : PlanCluster.joining(workers, here);
    }

    /** Before a trial is made for nothing. */
    private static void requirePrices(CandidateTable.Question question, PlanCluster cluster) {
        if (question.prices() != null) {
            question.prices().requireFor(cluster.machines());
        }
    }

    /** Which machines are planned for, where they are not this one. */
    private static String machines(CandidateTable.Question question, ClusterSpec there) {
        JoinSpec join = there.join();
        if (question.cluster() != null || join == null) {
            return "%d of the cluster file".formatted(there.workers());
        }
        return ("%d that join at %s; which they are is not known yet, so they are taken to be like"
                        + " this one")
                .formatted(there.workers(), join.listen());
    }

    /** Machines are elsewhere, or not known yet: what one worker of this one does can be tried. */
    private static JobSpec onThisMachine(JobSpec job) {
        StrategySpec strategy = job.strategy();
        StrategySpec ofOne =
                strategy.with(List.of(), strategy.balance())
                        .with(strategy.round().waitingFor(QuorumSpec.NONE))
                        .with(strategy.compress(), strategy.codec().at(List.of()))
                        .with(StrategySpec.Stragglers.DEFAULTS);
        return job.with(ofOne).with(job.cluster().ofThisMachine(1, job.cluster().threads()));
    }

    private static JobPlan of(
            JobSpec job,
            PreparedData data,
            Plan plan,
            Replica replica,
            Trial trial,
            @Nullable CandidateTable table) {
        StepSchedule schedule = StepSchedule.of(job, data.trainSamples());
        long stateBytes =
                replica.parameters().bytes()
                        + replica.layout().gradientBytes()
                        + replica.buffers().bytes();
        try (Strategy strategy = Strategies.of(job, replica)) {
            stateBytes += strategy.bytes();
        }
        return new JobPlan(
                plan.shares(),
                replica.layout().parameterCount(),
                data.trainSamples(),
                data.validationSamples(),
                schedule.stepsPerEpoch(),
                schedule.lastStep(),
                stateBytes,
                trial,
                plan.globalBatch() * 1e9 / trial.stepNs(),
                table,
                List.of());
    }

    /** The same in words, with the candidates below. */
    private JobPlan saying(List<String> said) {
        List<String> words = new ArrayList<>(said);
        if (candidates != null) {
            words.addAll(candidates.lines());
        }
        return new JobPlan(
                shares,
                parameters,
                trainSamples,
                validationSamples,
                stepsPerEpoch,
                steps,
                stateBytes,
                trial,
                samplesPerSecond,
                candidates,
                words);
    }

    private static Group groupOf(int workers) {
        List<Member> members = new ArrayList<>();
        IntStream.rangeClosed(1, workers)
                .forEach(
                        i ->
                                members.add(
                                        new Member(
                                                new WorkerId(i),
                                                "here",
                                                Member.NO_SITE,
                                                "127.0.0.1",
                                                1,
                                                "here")));
        return new Group(1, members);
    }
}

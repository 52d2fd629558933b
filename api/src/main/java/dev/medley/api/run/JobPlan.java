package dev.medley.api.run;

import dev.medley.base.Clock;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.StrategySpec.Transport;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.control.planner.SharePlan;
import dev.medley.store.dataset.BatchStream;
import dev.medley.store.dataset.Datasets;
import dev.medley.store.dataset.PreparedData;
import dev.medley.store.dataset.TrainingData;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.loop.StepSchedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a job would do, and why.
 *
 * @param shares samples of each worker in a step
 * @param parameters numbers that the model consists of
 * @param trainSamples of an epoch
 * @param validationSamples of an evaluation
 * @param stepsPerEpoch steps that use up an epoch
 * @param steps of the whole run; {@link Long#MAX_VALUE} if only time limits it
 * @param stateBytes parameters, gradients and optimizer state of one worker
 * @param computeNs measured here: forward, backward and update of the largest share, one worker
 *     alone
 * @param exchangeNs expected, at an assumed speed
 * @param samplesPerSecond expected of all workers
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
        long computeNs,
        long exchangeNs,
        double samplesPerSecond,
        List<String> sentences) {
    private static final int WARM_STEPS = 2;
    private static final int STEPS = 5;

    /** What a sum moves a second; assumed until links are measured. */
    private static final double SHARED_MEMORY_BYTES_PER_S = 4e9;

    private static final double TCP_BYTES_PER_S = 1e9;

    public JobPlan {
        shares = List.copyOf(shares);
        sentences = List.copyOf(sentences);
    }

    /** Prepares the data, builds the model, and measures a few steps in this process. */
    public static JobPlan of(JobSpec job, RunOptions options, RunProgress progress) {
        JobSpec resolved = JobRun.withThreads(job);
        PreparedData data =
                Datasets.prepare(
                        job.data(),
                        job.seed(),
                        options.cache().resolve("data"),
                        progress::preparing);
        progress.prepared(data);
        JobRun.requireSamples(resolved, data);
        int workers = resolved.cluster().workers();
        Plan plan =
                new SharePlan(
                                job.train().batch(),
                                job.train().accumulate(),
                                job.strategy().shares())
                        .plan(groupOf(workers), 1, 0);
        Torch.start(resolved.cluster().threads());
        try (Replica replica =
                Replica.build(
                        job.model(),
                        job.train().loss(),
                        job.train().groups(),
                        data.signature(),
                        ReplicaOptions.of(job.seed(), job.train().precision()))) {
            return measured(resolved, data, plan, replica);
        }
    }

    private static JobPlan measured(JobSpec job, PreparedData data, Plan plan, Replica replica) {
        StepSchedule schedule = new StepSchedule(job.train(), data.trainSamples());
        long stateBytes =
                replica.parameters().bytes()
                        + replica.layout().gradientBytes()
                        + replica.buffers().bytes();
        long computeNs;
        try (Optimizer optimizer = replica.optimizer(job.train().optimizer());
                TrainingData samples = TrainingData.open(data, job.seed(), Clock.system())) {
            stateBytes +=
                    optimizer.state().stream().map(NamedSpan::data).mapToLong(s -> s.bytes()).sum();
            computeNs = computeNs(job, schedule, plan, replica, optimizer, samples);
        }
        int workers = plan.shares().size();
        double crowding =
                Math.max(
                        1,
                        (double) workers
                                * job.cluster().threads()
                                / Runtime.getRuntime().availableProcessors());
        double speed =
                job.strategy().transport() == Transport.TCP
                        ? TCP_BYTES_PER_S
                        : SHARED_MEMORY_BYTES_PER_S;
        long exchangeNs =
                workers == 1 ? 0 : (long) (replica.layout().gradientBytes() * 2 / speed * 1e9);
        double stepNs = (computeNs + exchangeNs) * crowding;
        double samplesPerSecond = plan.globalBatch() * 1e9 / stepNs;
        JobPlan result =
                new JobPlan(
                        plan.shares(),
                        replica.layout().parameterCount(),
                        data.trainSamples(),
                        data.validationSamples(),
                        schedule.stepsPerEpoch(),
                        schedule.lastStep(),
                        stateBytes,
                        computeNs,
                        exchangeNs,
                        samplesPerSecond,
                        List.of());
        return result.saying(PlanSentences.of(job, data, plan, result, crowding));
    }

    private JobPlan saying(List<String> words) {
        return new JobPlan(
                shares,
                parameters,
                trainSamples,
                validationSamples,
                stepsPerEpoch,
                steps,
                stateBytes,
                computeNs,
                exchangeNs,
                samplesPerSecond,
                words);
    }

    private static long computeNs(
            JobSpec job,
            StepSchedule schedule,
            Plan plan,
            Replica replica,
            Optimizer optimizer,
            TrainingData samples) {
        Clock clock = Clock.system();
        int rank = plan.shares().indexOf(plan.shares().stream().max(Integer::compare).orElse(0));
        long[] times = new long[STEPS];
        int most = plan.microBatch();
        try (BatchStream batches =
                samples.train(
                        step -> schedule.share(step, plan, rank),
                        1,
                        job.data().prefetchBatches())) {
            for (int i = -WARM_STEPS; i < STEPS; i++) {
                Batch batch = batches.next();
                long beginNs = clock.nowNs();
                replica.zeroGradients();
                double weight = 0;
                for (int from = 0; from < batch.samples(); from += most) {
                    Batch part = batch.rows(from, Math.min(batch.samples(), from + most));
                    weight +=
                            replica.forwardBackward(part, i + WARM_STEPS + 1, ReadyListener.NONE)
                                    .weight();
                }
                optimizer.apply(1e-6, Math.max(1, weight), 1);
                if (i >= 0) {
                    times[i] = clock.nowNs() - beginNs;
                }
            }
        }
        Arrays.sort(times);
        return times[STEPS / 2];
    }

    private static Group groupOf(int workers) {
        List<Member> members = new ArrayList<>();
        IntStream.rangeClosed(1, workers)
                .forEach(
                        i ->
                                members.add(
                                        new Member(
                                                new WorkerId(i), "here", "127.0.0.1", 1, "here")));
        return new Group(1, members);
    }
}

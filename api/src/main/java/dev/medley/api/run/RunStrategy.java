package dev.medley.api.run;

import dev.medley.base.Cursor;
import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.job.JobSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.data.dataset.PreparedData;
import dev.medley.plan.chain.PlanChain;
import dev.medley.plan.codec.CodecPlan;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.forecast.AutoPlan;
import dev.medley.plan.source.PlanSource;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.Machine;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.model.Networks;
import dev.medley.training.loop.StepSchedule;
import dev.medley.training.worker.Assignment;
import tools.jackson.databind.JsonNode;

/**
 * Decides the strategy of a run: the job's, or the one that is chosen when its workers are ready
 * and perhaps changed later. The strategy in force is told to workers that come later, to the
 * record, and to those who watch the run.
 *
 * <p>Thread: the coordinating thread.
 */
public final class RunStrategy {
    private final RunProgress progress;
    private final RecordingWatcher watcher;
    private final EarlierRuns earlier;
    private final Learning learning;
    private Assignment assignment;

    RunStrategy(
            Assignment assignment,
            RunProgress progress,
            RecordingWatcher watcher,
            EarlierRuns earlier) {
        this.earlier = earlier;
        this.learning = earlier.learning();
        this.assignment = assignment;
        this.progress = progress;
        this.watcher = watcher;
    }

    /** The assignment of a worker that comes now. */
    JsonNode assignment() {
        return Json.tree(assignment);
    }

    /** Plans that begin with a choice. */
    PlanSource choosing() {
        return new AutoPlan(terms(), this::decide);
    }

    /**
     * Plans of a run that has chosen, and goes on.
     *
     * @param chain of the strategy that the run chose last
     * @param savedStep after which it goes on
     */
    PlanSource goingOn(PlanChain chain, long savedStep) {
        progress.decided(assignment.job());
        long perEpoch = assignment.data().trainSamples();
        Cursor cursor = watcher.sizes().before(savedStep + 1, perEpoch);
        double samplesDone = cursor.epoch() * (double) perEpoch + cursor.position();
        return new AutoPlan(
                terms(),
                this::decide,
                new AutoPlan.Before(
                        assignment.job().strategy(),
                        adapting(chain, assignment.job(), 0),
                        samplesDone));
    }

    private AutoPlan.Terms terms() {
        JobSpec job = assignment.job();
        return new AutoPlan.Terms(
                facts(job, assignment.data()),
                job.strategy(),
                learning::worth,
                RunStrategy::assumed,
                earlier.caps());
    }

    /** Plans with a codec that is chosen, where the job leaves it open. */
    PlanSource withCodec(PlanChain chain) {
        JobSpec job = assignment.job();
        return plans(job.strategy().hasOpenCodec() ? coding(chain, job, 0) : chain, job);
    }

    /** Plans of a strategy that was chosen, whose codec is finer when training needs it. */
    private PlanSource adapting(PlanChain chain, JobSpec chosen, long trainedNs) {
        boolean isCoded = chosen.strategy().compress() != Compress.NONE;
        return plans(isCoded ? coding(chain, chosen, trainedNs) : chain, chosen);
    }

    /** Told of earlier runs, which know of no codecs. */
    private PlanSource plans(PlanChain chain, JobSpec job) {
        return chain.coded(earlier.around(job, chain.source()));
    }

    private PlanChain coding(PlanChain chain, JobSpec job, long trainedNs) {
        return chain.coding(
                new CodecPlan.Terms(
                        job.strategy(),
                        facts(job, assignment.data()),
                        chain.lastStep(),
                        trainedNs,
                        RunStrategy::assumed));
    }

    /** What a forecast needs to know of a job and its data. */
    public static ModelFacts facts(JobSpec job, PreparedData data) {
        ParameterLayout layout =
                Networks.layout(job.model(), job.train().groups(), data.signature());
        return ModelFacts.of(
                        job, layout.gradientBytes(), layout.slots().size(), data.trainSamples())
                .within(RunPlans.room(job, data.signature(), Long.MAX_VALUE));
    }

    /** Steps that were taken stay as long as they were; those to come are as long as its rounds. */
    private PlanSource decide(StrategySpec chosen, long committedStep, long trainedNs) {
        Assignment open = assignment;
        JobSpec job = open.job().with(chosen);
        assignment = open.with(job);
        StepSchedule schedule =
                StepSchedule.of(job, open.data().trainSamples())
                        .with(watcher.sizes().from(committedStep + 1, job.roundSamples()));
        watcher.decided(schedule);
        learning.decided(chosen);
        progress.decided(job);
        PlanChain chain = RunPlans.of(job, schedule.lastStep(), null, 0, earlier);
        return adapting(chain, job, trainedNs);
    }

    /** Members of a group as machines between which nothing was measured. */
    static ClusterProfile assumed(Group group) {
        return ClusterProfile.assumed(group.members().stream().map(RunStrategy::machine).toList());
    }

    private static Machine machine(Member member) {
        return new Machine(
                member.worker().toString(),
                member.site(),
                member.kernelKey(),
                Long.MAX_VALUE,
                null);
    }
}

package dev.medley.api.run;

import dev.medley.base.Cursor;
import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.job.JobSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.data.dataset.PreparedData;
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
     * @param source of the plans of the strategy that the run chose last
     * @param savedStep after which it goes on
     * @param lastStep of the run
     */
    PlanSource goingOn(PlanSource source, long savedStep, long lastStep) {
        progress.decided(assignment.job());
        long perEpoch = assignment.data().trainSamples();
        Cursor cursor = watcher.sizes().before(savedStep + 1, perEpoch);
        double samplesDone = cursor.epoch() * (double) perEpoch + cursor.position();
        return new AutoPlan(
                terms(),
                this::decide,
                new AutoPlan.Before(
                        assignment.job().strategy(),
                        adapting(source, assignment.job(), lastStep, 0),
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

    /** Plans of {@code source}; with a codec that is chosen, where the job leaves it open. */
    PlanSource withCodec(PlanSource source, long lastStep) {
        JobSpec job = assignment.job();
        return job.strategy().hasOpenCodec() ? coding(source, job, lastStep, 0) : source;
    }

    /** Plans of a strategy that was chosen, whose codec is finer when training needs it. */
    private PlanSource adapting(PlanSource source, JobSpec chosen, long lastStep, long trainedNs) {
        return chosen.strategy().compress() == Compress.NONE
                ? source
                : coding(source, chosen, lastStep, trainedNs);
    }

    private PlanSource coding(PlanSource source, JobSpec job, long lastStep, long trainedNs) {
        return new CodecPlan(
                new CodecPlan.Terms(
                        job.strategy(),
                        facts(job, assignment.data()),
                        lastStep,
                        trainedNs,
                        RunStrategy::assumed),
                source);
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
        PlanSource source = RunPlans.of(job, schedule.lastStep(), null, 0, earlier);
        return adapting(source, job, schedule.lastStep(), trainedNs);
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

package dev.medley.api.run;

import dev.medley.base.Json;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.BatchesSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.PreparedData;
import dev.medley.plan.efficiency.EfficiencyTable;
import dev.medley.plan.efficiency.LearningCurve;
import dev.medley.plan.efficiency.Lesson;
import dev.medley.plan.efficiency.LessonCache;
import dev.medley.plan.efficiency.Lessons;
import dev.medley.plan.forecast.Candidate;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.MetricValue.Better;
import dev.medley.record.entry.RunObserver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the efficiency of samples under each strategy from how a job learns, run by run. It is
 * the shipped table, corrected by the user's own runs of this very job, this one included. Kept in
 * {@code learning-curves} in the folder of caches; see docs/planning.md.
 *
 * <p>A run counts for the strategy of its first step, until it takes another one.
 *
 * <p>Thread: the coordinating thread.
 */
public final class Learning implements RunObserver {
    private final @Nullable LessonCache cache;
    private final String key;
    private final long seed;
    private final int workers;
    private final EfficiencyTable shipped;
    private final Clock clock;
    private @Nullable List<Lesson> earlier;

    private @Nullable StrategySpec strategy;
    private @Nullable LearningCurve curve;
    private boolean hasChanged;

    /**
     * What else decides how a job learns.
     *
     * @param budget where the learning rate follows it; else null
     */
    record Same(
            String dataHash,
            DataSpec data,
            ModelSpec model,
            int batch,
            BatchesSpec batches,
            LossSpec loss,
            OptimizerSpec optimizer,
            ScheduleSpec schedule,
            @Nullable Budget budget,
            double clipNorm,
            Precision precision,
            List<TrainSpec.ParameterGroupSpec> groups,
            List<MetricSpec> metrics) {
        static Same of(JobSpec job, PreparedData data) {
            TrainSpec train = job.train();
            boolean isCosine = train.schedule().kind() == ScheduleSpec.Kind.COSINE;
            return new Same(
                    data.dataHash(),
                    job.data(),
                    job.model(),
                    train.batch(),
                    train.batches(),
                    train.loss(),
                    train.optimizer(),
                    train.schedule(),
                    isCosine ? train.budget() : null,
                    train.clipNorm(),
                    train.precision(),
                    train.groups(),
                    train.metrics());
        }
    }

    private Learning(JobSpec job, PreparedData data, @Nullable LessonCache cache, Clock clock) {
        this.cache = cache;
        this.key = Json.line(Same.of(job, data));
        this.seed = job.seed();
        this.shipped = EfficiencyTable.shipped().of(job.model().family());
        this.workers = job.cluster().workers();
        this.clock = clock;
        this.strategy = job.strategy().isOpen() ? null : job.strategy();
    }

    /** What is known of a job. One that repeats another's plans is like one from a model. */
    public static Learning of(JobSpec job, PreparedData data, RunOptions options, Clock clock) {
        boolean isAsked = options.guesses() != RunOptions.Guesses.NONE && options.replay() == null;
        return new Learning(
                job,
                data,
                isAsked ? new LessonCache(options.cache().resolve("learning-curves")) : null,
                clock);
    }

    /**
     * Of a job that begins with a trained model: it neither asks earlier ones nor tells later ones.
     */
    static Learning fromModel(JobSpec job, PreparedData data, Clock clock) {
        return new Learning(job, data, null, clock);
    }

    /** From here on another strategy is in force. */
    void decided(StrategySpec chosen) {
        if (strategy == null) {
            strategy = chosen;
        } else if (!strategy.equals(chosen)) {
            hasChanged = true;
        }
    }

    /** A run is gone on with that changed its strategy: what it learns by now is of a mixture. */
    void wasChanged() {
        hasChanged = true;
    }

    @Override
    public void evaluation(EvaluationRecord evaluation) {
        if (hasChanged || evaluation.metrics().isEmpty()) {
            return;
        }
        MetricValue first = evaluation.metrics().get(0);
        LearningCurve before =
                curve == null
                        ? new LearningCurve(first.better() == Better.HIGHER, List.of())
                        : curve;
        curve = before.with(evaluation.samplesSeen(), first.value());
    }

    /** What samples are worth in this job, as far as it is known by now. */
    public EfficiencyTable worth() {
        List<Lesson> all = new ArrayList<>(earlier());
        Lesson own = own();
        if (own != null && all.stream().noneMatch(l -> l.isAgain(own) && l.isLongerThan(own))) {
            all.removeIf(own::isAgain);
            all.add(own);
        }
        return Lessons.correct(shipped, all);
    }

    /** By as many workers; with data-parallel their number does not matter. */
    private List<Lesson> earlier() {
        List<Lesson> found = earlier;
        if (found == null) {
            List<Lesson> kept = cache == null ? List.of() : cache.find(key);
            found =
                    kept.stream()
                            .filter(l -> l.workers() == workers || Lessons.isReference(l))
                            .toList();
            earlier = found;
        }
        return found;
    }

    /** Keeps how this run learnt. */
    void keep() {
        Lesson own = own();
        if (cache != null && own != null) {
            cache.keep(key, own);
        }
    }

    private @Nullable Lesson own() {
        StrategySpec under = strategy;
        LearningCurve learnt = curve;
        if (under == null || learnt == null || !Candidate.isForeseen(under)) {
            return null;
        }
        return new Candidate(under).isByLetters()
                ? null
                : new Lesson(under, workers, seed, clock.wallMillis(), learnt);
    }
}

package dev.medley.spark.ml;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.TrainedModel;
import dev.medley.api.TrainingFailedException;
import dev.medley.api.job.ComparedJob;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobTerms;
import dev.medley.base.job.ModelSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.data.token.Tokens;
import dev.medley.inference.pretrained.TransformersFolder;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.spark.cluster.SparkBlas;
import dev.medley.spark.cluster.SparkRun;
import dev.medley.spark.rows.DriverRows;
import dev.medley.spark.rows.FrameColumns;
import dev.medley.spark.rows.FrameData;
import dev.medley.spark.rows.PreparedRows;
import dev.medley.store.file.AtomicFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains a job on the rows of a DataFrame. Runs of one driver follow each other: two that shared
 * the slots would each wait for the other's.
 *
 * <p>Thread: the caller's.
 */
public final class FrameTraining {
    /** A setting of the session: workers, where no parameter says how many. */
    public static final String WORKERS = "spark.medley.workers";

    /** A setting of the session: workers that may join. */
    public static final String MOST_WORKERS = "spark.medley.maxWorkers";

    /** A setting of the session: where the records of runs go, on the driver. */
    public static final String RUNS = "spark.medley.runs";

    private static final Logger LOG = LoggerFactory.getLogger(FrameTraining.class);
    private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock(true);

    private FrameTraining() {}

    /** Tells the driver's log how far a run is. */
    private static final class Told implements RunProgress {
        @Override
        public void began(RunFolder folder) {
            LOG.info("run {}", folder.path());
        }

        @Override
        public void evaluated(EvaluationRecord evaluation) {
            LOG.info("step {}: {}", evaluation.step(), evaluation.metrics());
        }

        @Override
        public void happened(RunEvent event) {
            LOG.info("step {}: {}", event.step(), event.message());
        }
    }

    /**
     * What came of it.
     *
     * @param files of the model
     */
    record Trained(ModelFiles files, RunResult result) {}

    /**
     * To the end.
     *
     * @param wanted columns
     * @throws ConfigException if the columns, the rows or the job cannot be used
     * @throws TrainingFailedException if training ended without a model
     */
    static Trained train(
            Dataset<?> frame, FrameColumns.Wanted wanted, JobSpec job, MedleyParams<?> params) {
        return train(frame, wanted, job, params, false);
    }

    private static Trained train(
            Dataset<?> frame,
            FrameColumns.Wanted wanted,
            JobSpec job,
            MedleyParams<?> params,
            boolean isWhole) {
        JavaSparkContext spark =
                new JavaSparkContext(
                        ((org.apache.spark.sql.classic.Dataset<?>) frame)
                                .sparkSession()
                                .sparkContext());
        SparkBlas.load();
        SparkRun run = new SparkRun(spark, params.wishes(executors(spark)));
        run.require();
        if (!ONE_AT_A_TIME.tryLock()) {
            LOG.info("waits for another run of this driver");
            ONE_AT_A_TIME.lock();
        }
        try (PreparedRows data = prepared(frame, wanted, job)) {
            check(
                    !isWhole || data.missing() == 0,
                    "%s: %,d rows have missing values (NaN), which a model of Spark's cannot tell"
                            + " from others: fill them first (Imputer)",
                    String.join(", ", wanted.inputs()),
                    data.missing());
            Path runs = Path.of(params.getOrDefault(params.runsFolder()));
            RunOptions options = RunOptions.in(runs).saidAs(params.getClass().getSimpleName());
            String named = params.getOrDefault(params.resume());
            JobSpec whole = job.of(data.prepared().trainSamples());
            if (!named.isEmpty()) {
                RunFolder resumed = RunFolder.find(runs, named);
                requireSame(resumed, whole);
                options = options.resuming(resumed.path());
            }
            RunResult result = run.train(whole, data.prepared(), data.rows(), options, new Told());
            return trained(result, (boolean) params.getOrDefault(params.keepRun()));
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    /** Who computes may differ. */
    private static void requireSame(RunFolder run, JobSpec asked) {
        check(
                RunRecord.summary(run).state() != RunStatus.DONE,
                "resume=%s is done, and its model is in %s: leave resume out to train anew",
                run.path(),
                run.model());
        JobSpec began = JobRun.jobOf(run.path()).with(asked.cluster());
        String changes = terms(began).changes(terms(asked));
        check(
                changes.isEmpty(),
                "resume=%s was begun with another job (%s): go on with it by that job, or leave"
                        + " resume out to train anew",
                run.path(),
                changes);
    }

    private static JobTerms terms(JobSpec job) {
        return ComparedJob.terms(job, "", List.of());
    }

    private static PreparedRows prepared(
            Dataset<?> frame, FrameColumns.Wanted wanted, JobSpec job) {
        Tokens tokens =
                job.model() instanceof ModelSpec.Pretrained model
                        ? TransformersFolder.open(Path.of(model.from())).tokens()
                        : null;
        if (JobInputs.isLanguage(job)) {
            return DriverRows.ofTexts(frame, wanted, job.data(), tokens, job.seed());
        }
        return job.data().series() == null
                ? FrameData.of(frame, wanted, job.data(), tokens, job.seed())
                : DriverRows.ofSeries(frame, wanted, job.data(), job.seed());
    }

    /** One where all tasks are threads of the driver. */
    private static int executors(JavaSparkContext spark) {
        int with = spark.statusTracker().getExecutorInfos().length;
        return Math.max(1, with - 1);
    }

    private static Trained trained(RunResult result, boolean stays) {
        RunOutcome outcome = result.outcome();
        Path folder = result.folder().path();
        if (outcome.kind() != RunOutcome.Kind.COMPLETED) {
            FailureKind failure = outcome.failure();
            if (failure != null && failure.isOfInput()) {
                throw new ConfigException(outcome.why());
            }
            throw new TrainingFailedException(outcome.why(), folder);
        }
        LOG.info("{}; {}", outcome.why(), result.summary().metrics());
        ModelFiles files = ModelFiles.of(result.folder().model());
        if (!stays) {
            try {
                AtomicFolder.delete(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new Trained(files, result);
    }

    /**
     * The model of a job that its caller writes, for those who make something else of it, and close
     * it.
     *
     * @param job text of a job file
     * @param task as {@code data.task} has it, where there is a label
     * @throws ConfigException as {@link #train} does
     */
    public static TrainedModel model(
            Dataset<?> frame, FrameColumns.Wanted wanted, String job, String task) {
        MedleyEstimator estimator =
                new MedleyEstimator()
                        .setJob(job)
                        .setNumWorkers(setting(frame, WORKERS, 0))
                        .setMaxWorkers(setting(frame, MOST_WORKERS, 0))
                        .setRunsFolder(frame.sparkSession().conf().get(RUNS, "runs"));
        if (wanted.weight() != null) {
            estimator.setWeightCol(wanted.weight());
        }
        JobSpec spec =
                JobOfParams.of(estimator, wanted.label(), wanted.label() == null ? null : task);
        return train(frame, wanted, spec, estimator, true).files().open();
    }

    private static int setting(Dataset<?> frame, String key, int absent) {
        String value = frame.sparkSession().conf().get(key, "" + absent);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new ConfigException("%s=%s: a whole number is needed".formatted(key, value), e);
        }
    }

    /** Columns to learn from: those that are named, or the vector of features. */
    static List<String> inputs(MedleyParams<?> params, String featuresCol) {
        String[] named = params.getOrDefault(params.inputCols());
        return named.length > 0 ? List.of(named) : List.of(featuresCol);
    }

    static @Nullable String orNull(String column) {
        return column.isEmpty() ? null : column;
    }
}

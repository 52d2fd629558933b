package dev.medley.spark.cluster;

import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/** Trains one job in an application of its own, which spark-submit has begun. */
public final class SparkApplication {
    /**
     * A setting of the application: the level of Spark's log once executors are there, to its end.
     * What Spark logs of a begin that fails is said in one sentence.
     */
    public static final String LOG_LEVEL = "spark.medley.log.level";

    /** The label of pods of an application that is trained in. */
    public static final String LABEL = "medley.dev/application";

    private static final String QUIET = "OFF";

    private SparkApplication() {}

    /**
     * Begins the application, trains, and ends it.
     *
     * @param watching tells why executors do not begin that have the label {@link #LABEL} with that
     *     value; it is asked on a thread of its own
     * @param says takes sentences for the user while no executor is there; on that thread, too
     * @throws ConfigException if the application cannot begin, its executors do not, or as {@link
     *     SparkRun#train} does
     */
    public static RunResult train(
            JobSpec job,
            ExecutorWishes wishes,
            RunOptions options,
            RunProgress progress,
            Function<String, ExecutorWatch> watching,
            Consumer<String> says) {
        String tag = "medley-" + UUID.randomUUID();
        JavaSparkContext spark = null;
        String level = "";
        try {
            SparkRun run;
            try (ExecutorWatch watch = watching.apply(tag);
                    WaitingExecutors waiting =
                            new WaitingExecutors(ApplicationStart.master(), watch, says)) {
                try {
                    spark = ApplicationStart.begin(tag);
                    waiting.begun(spark);
                    level = spark.getConf().get(LOG_LEVEL, "");
                    run = new SparkRun(spark, wishes);
                    run.require();
                } catch (RuntimeException e) {
                    throw named(e, spark, waiting.reason());
                }
            }
            if (!level.isEmpty()) {
                spark.setLogLevel(level);
            }
            return run.train(job, null, null, options, progress);
        } finally {
            if (!level.isEmpty() && spark != null) {
                spark.setLogLevel(QUIET); // Executors that are told to end have nothing to say.
            }
            if (spark != null) {
                spark.close();
            }
        }
    }

    /** The reason for an end, if somebody knows it better than who met it. */
    private static RuntimeException named(
            RuntimeException thrown, @Nullable JavaSparkContext spark, @Nullable String known) {
        String reason = known == null && spark != null ? ApplicationStart.end(spark) : known;
        return reason == null
                ? thrown
                : new ConfigException(
                        "--on %s: no executor has begun: %s"
                                .formatted(ApplicationStart.master(), reason),
                        thrown);
    }
}

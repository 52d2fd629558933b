package dev.medley.spark.cluster;

import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.spark.api.java.JavaSparkContext;

/** Trains one job in an application of its own, which spark-submit has begun. */
public final class SparkApplication {
    /**
     * A setting of the application: the level of Spark's log once executors are there, to its end.
     * What Spark logs of a begin that fails is said in one sentence.
     */
    public static final String LOG_LEVEL = "spark.medley.log.level";

    private static final String QUIET = "OFF";

    private SparkApplication() {}

    /**
     * Begins the application, trains, and ends it.
     *
     * @param trouble why executors of the application of that id do not begin, if it is known; on a
     *     thread of its own
     * @param says takes sentences for the user while no executor is there; on that thread, too
     * @throws ConfigException if the application cannot begin, its executors do not, or as {@link
     *     SparkRun#train} does
     */
    public static RunResult train(
            JobSpec job,
            ExecutorWishes wishes,
            RunOptions options,
            RunProgress progress,
            Function<String, Optional<String>> trouble,
            Consumer<String> says) {
        JavaSparkContext spark = ApplicationStart.begin();
        String level = spark.getConf().get(LOG_LEVEL, "");
        try {
            SparkRun run = new SparkRun(spark, wishes);
            try (WaitingExecutors waiting = new WaitingExecutors(spark, trouble, says)) {
                require(run, spark, waiting);
            }
            if (!level.isEmpty()) {
                spark.setLogLevel(level);
            }
            return run.train(job, null, null, options, progress);
        } finally {
            if (!level.isEmpty()) {
                spark.setLogLevel(QUIET); // Executors that are told to end have nothing to say.
            }
            spark.close();
        }
    }

    private static void require(SparkRun run, JavaSparkContext spark, WaitingExecutors waiting) {
        try {
            run.require();
        } catch (RuntimeException e) {
            String reason =
                    waiting.reason() == null ? ApplicationStart.end(spark) : waiting.reason();
            if (reason == null) {
                throw e;
            }
            throw new ConfigException(
                    "--on %s: no executor has begun: %s".formatted(spark.master(), reason), e);
        }
    }
}

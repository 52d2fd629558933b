package dev.medley.spark.cluster;

import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.job.JobSpec;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;

/** Trains one job in an application of its own, which spark-submit has begun. */
public final class SparkApplication {
    private SparkApplication() {}

    /**
     * Complains about a master that cannot have so many workers, before Spark begins.
     *
     * @throws dev.medley.base.ConfigException if it is known to have too few cores
     */
    public static void requireRoom(String master, ExecutorWishes wishes) {
        Slots.requireRoom(master, wishes);
    }

    /**
     * Begins the application, trains, and ends it.
     *
     * @throws dev.medley.base.ConfigException as {@link SparkRun#train} does
     */
    public static RunResult train(
            JobSpec job, ExecutorWishes wishes, RunOptions options, RunProgress progress) {
        try (JavaSparkContext spark =
                new JavaSparkContext(SparkContext.getOrCreate(new SparkConf()))) {
            return new SparkRun(spark, wishes).train(job, null, null, options, progress);
        }
    }
}

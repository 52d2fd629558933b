package dev.medley.spark.cluster;

import static dev.medley.base.ConfigException.check;

import java.util.regex.Matcher;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfileBuilder;
import org.apache.spark.resource.TaskResourceRequests;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The room of an application: how many workers at a time, and how many cores each has.
 *
 * @param count workers that there is room for at once; {@link #OPEN} where executors come and go
 * @param threads cores of each worker
 * @param isLocal whether all executors are processes of the driver's machine
 * @param isDynamic whether Spark starts and ends executors as it sees fit
 * @param profile by which a task takes a whole executor; null for the application's own
 */
record Slots(
        int count,
        int threads,
        boolean isLocal,
        boolean isDynamic,
        @Nullable ResourceProfile profile) {
    private static final String DRIVER = "driver";
    static final int OPEN = Integer.MAX_VALUE;

    /** Of an application, for a run that wishes so many workers. */
    static Slots of(JavaSparkContext spark, ExecutorWishes wishes) {
        SparkConf conf = spark.getConf();
        int taskCores = conf.getInt("spark.task.cpus", 1);
        boolean isDynamic = conf.getBoolean("spark.dynamicAllocation.enabled", false);
        Matcher local = MasterRoom.LOCAL.matcher(spark.master());
        if (local.matches()) {
            // All tasks are threads of the driver: its cores are shared out among them.
            String asked = local.group(1);
            int cores =
                    asked == null
                            ? 1
                            : asked.equals("*")
                                    ? Runtime.getRuntime().availableProcessors()
                                    : Integer.parseInt(asked.strip());
            return new Slots(
                    Math.max(1, cores / taskCores),
                    Math.max(1, cores / wishes.most()),
                    true,
                    false,
                    null);
        }
        Matcher cluster = MasterRoom.LOCAL_CLUSTER.matcher(spark.master());
        boolean isLocal = cluster.matches();
        int executorCores =
                isLocal
                        ? Integer.parseInt(cluster.group(2))
                        : conf.getInt("spark.executor.cores", cores(spark, taskCores));
        int executors = isLocal ? Integer.parseInt(cluster.group(1)) : executors(spark, conf);
        // A task that takes all cores of its executor computes with all of them.
        boolean isWhole =
                !isDynamic
                        && executorCores > taskCores
                        && wishes.launcher() == ExecutorWishes.Kind.TASKS
                        && (executors == OPEN || wishes.most() <= executors);
        int threads = isWhole ? executorCores : taskCores;
        int each = Math.max(1, executorCores / threads);
        int count = isDynamic || executors == OPEN ? OPEN : executors * each;
        return new Slots(count, threads, isLocal, isDynamic, isWhole ? whole(executorCores) : null);
    }

    /** Of the largest executor that is there: a master may give all cores of a machine. */
    private static int cores(JavaSparkContext spark, int absent) {
        int most = absent;
        for (ExecutorSummary executor :
                CollectionConverters.asJava(spark.sc().statusStore().executorList(true))) {
            if (!executor.id().equals(DRIVER)) {
                most = Math.max(most, executor.totalCores());
            }
        }
        return most;
    }

    private static int executors(JavaSparkContext spark, SparkConf conf) {
        int asked = conf.getInt("spark.executor.instances", 0);
        // The driver is among them.
        int here = spark.statusTracker().getExecutorInfos().length - 1;
        return asked > 0 ? Math.max(asked, here) : here > 0 ? here : OPEN;
    }

    private static ResourceProfile whole(int cores) {
        return new ResourceProfileBuilder().require(new TaskResourceRequests().cpus(cores)).build();
    }

    /** Complains about wishes that cannot be fulfilled. */
    void require(ExecutorWishes wishes) {
        check(
                wishes.launcher() != ExecutorWishes.Kind.BARRIER || !isDynamic,
                "a barrier stage does not go with spark.dynamicAllocation.enabled (SPARK-24942):"
                        + " take the launcher tasks, which does");
        check(
                wishes.least() <= count,
                "%d workers are asked for, and the application has %d slots of %d core%s: ask for"
                        + " fewer workers, or start it with more executors"
                        + " (spark.executor.instances, spark.executor.cores, spark.task.cpus)",
                wishes.least(),
                count,
                threads,
                threads == 1 ? "" : "s");
    }
}

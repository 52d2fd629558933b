package dev.medley.spark.cluster;

import dev.medley.base.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.VoidFunction;
import org.apache.spark.resource.ResourceProfile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a task for each worker in the application for as long as a run lasts. Each is a job of its
 * own: where one is lost with its executor, Spark starts it again, and what it gives up on is
 * submitted anew, without a word to the others. Tasks for which there is no room wait, which is
 * what makes dynamic allocation ask for executors.
 *
 * <p>Thread: the caller's; each task is waited for on a thread of its own.
 */
final class LongTasks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LongTasks.class);
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long JOIN_MILLIS = TimeUnit.SECONDS.toMillis(3);

    /** A worker that lived so long did not fail at once. */
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(1);

    /** A worker that fails so often at once fails for a reason that does not go away. */
    private static final int MOST_FAILURES = 5;

    private final JavaSparkContext spark;
    private final String group;
    private final @Nullable ResourceProfile profile;
    private final Clock clock = Clock.system();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isOver;

    /** Runs in a task. */
    private static final class Body implements VoidFunction<Integer> {
        private static final long serialVersionUID = 1L;

        private final WorkerTask task;

        Body(WorkerTask task) {
            this.task = task;
        }

        @Override
        public void call(Integer number) throws Exception {
            task.run(number);
        }
    }

    LongTasks(JavaSparkContext spark, String group, @Nullable ResourceProfile profile) {
        this.spark = spark;
        this.group = group;
        this.profile = profile;
    }

    void begin(WorkerTask task, int count) {
        for (int i = 0; i < count; i++) {
            int number = i;
            Thread thread = new Thread(() -> keep(task, number), "medley-spark-" + number);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void keep(WorkerTask task, int number) {
        int failures = 0;
        spark.setJobGroup(group, "Medley's worker " + number, true);
        while (!isOver && failures < MOST_FAILURES) {
            long beganNs = clock.awakeNs();
            try {
                var one = spark.parallelize(List.of(number), 1);
                (profile == null ? one : one.withResources(profile)).foreach(new Body(task));
                return; // The run is over.
            } catch (Exception e) { // Spark's are checked, and not declared.
                boolean isLong = clock.awakeNs() - beganNs > LONG_NS;
                failures = isLong ? 1 : failures + 1;
                if (String.valueOf(e.getMessage()).contains("cancelled")) {
                    return; // Somebody's wish.
                }
                if (!isOver) {
                    LOG.warn("worker {} is started anew: {}", number, e.getMessage());
                }
                pause();
            }
        }
    }

    private void pause() {
        if (!isOver) {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Ends what is left of them. */
    @Override
    public void close() {
        isOver = true;
        try {
            for (Thread thread : threads) {
                thread.join(JOIN_MILLIS / Math.max(1, threads.size()));
            }
            if (threads.stream().anyMatch(Thread::isAlive)) {
                spark.cancelJobGroup(group);
            }
            for (Thread thread : threads) {
                thread.join(JOIN_MILLIS);
            }
        } catch (InterruptedException e) {
            spark.cancelJobGroup(group);
            Thread.currentThread().interrupt();
        }
    }
}

package dev.medley.spark.cluster;

import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Function1;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/**
 * Starts all workers in one barrier stage: Spark begins all of them at once or none, and begins all
 * anew where one is lost. The coordinator goes on with those that join again, from the last
 * checkpoint if none is left.
 *
 * <p>Thread: the caller's; the stage is waited for on a thread of its own.
 */
final class BarrierStage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BarrierStage.class);
    private static final long JOIN_MILLIS = TimeUnit.SECONDS.toMillis(3);

    private final JavaSparkContext spark;
    private final String group;
    private @Nullable Thread thread;
    private volatile boolean isOver;

    /** Runs in each task. */
    private static final class Body
            implements Function1<Iterator<Integer>, Iterator<Integer>>, Serializable {
        private static final long serialVersionUID = 1L;

        private final WorkerTask task;

        Body(WorkerTask task) {
            this.task = task;
        }

        @Override
        public Iterator<Integer> apply(Iterator<Integer> numbers) {
            while (numbers.hasNext()) {
                try {
                    task.run(numbers.next());
                } catch (IOException e) {
                    throw new IllegalStateException(e.getMessage(), e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted", e);
                }
            }
            return numbers;
        }
    }

    BarrierStage(JavaSparkContext spark, String group) {
        this.spark = spark;
        this.group = group;
    }

    void begin(WorkerTask task, int count) {
        List<Integer> numbers = IntStream.range(0, count).boxed().toList();
        Thread stage = new Thread(() -> run(task, numbers), "medley-spark-barrier");
        stage.setDaemon(true);
        thread = stage;
        stage.start();
    }

    private void run(WorkerTask task, List<Integer> numbers) {
        spark.setJobGroup(group, "Medley's workers", true);
        try {
            ClassTag<Integer> type = ClassTag.apply(Integer.class);
            var unused =
                    spark.parallelize(numbers, numbers.size())
                            .rdd()
                            .barrier()
                            .mapPartitions(new Body(task), false, type)
                            .count();
        } catch (Exception e) { // Spark's are checked, and not declared.
            if (!isOver) {
                LOG.warn("the barrier stage ended: {}", e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        isOver = true;
        Thread stage = thread;
        try {
            if (stage != null) {
                stage.join(JOIN_MILLIS);
                if (stage.isAlive()) {
                    spark.cancelJobGroup(group);
                    stage.join(JOIN_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            spark.cancelJobGroup(group);
            Thread.currentThread().interrupt();
        }
    }
}

package dev.medley.training.loop;

import dev.medley.base.memory.Batch;
import dev.medley.base.memory.Span;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.batch.TrainingData;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.ReadyListener;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Times how fast this very learner takes samples on this machine before it joins, so that its first
 * share is a fitting one. Leaves no trace: accumulators do not count until a step begins them anew,
 * and running statistics are put back.
 *
 * <p>Means, not medians: a machine with half of each second lent to others is half as fast, however
 * fast it is in the other half.
 *
 * <p>Thread: the training thread, before the first group.
 */
public final class SpeedTrial {
    private static final long TRIAL_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** What LibTorch does once for a shape is done in the first passes. */
    private static final int WARM_PASSES = 2;

    /** How long to wait for the JVM's compiler, and over how long to see whether it is busy. */
    private static final long MOST_WARM_NS = TimeUnit.SECONDS.toNanos(8);

    private static final long GLANCE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int QUIET_PART = 20;

    /** On a slow machine one pass may be half a second, and tell little by itself. */
    private static final int FEWEST_PASSES = 4;

    private static final int MOST_PASSES = 200;

    private final Learner learner;
    private final TrainingData data;
    private final Clock clock;

    /** A trial of that learner on the first of those samples. */
    public SpeedTrial(Learner learner, TrainingData data, Clock clock) {
        this.learner = learner;
        this.data = data;
        this.clock = clock;
    }

    /**
     * Mean time of a pass over {@code samples} samples, ns; takes half a second or a few passes.
     */
    public long passNs(int samples) {
        Span buffers = learner.buffers();
        Span before = Span.allocate(Math.max(1, buffers.bytes()));
        if (buffers.bytes() > 0) {
            before.slice(0, buffers.bytes()).copyFrom(buffers);
        }
        try (BatchStream stream = data.any(samples)) {
            return timed(stream.next());
        } finally {
            if (buffers.bytes() > 0) {
                buffers.copyFrom(before.slice(0, buffers.bytes()));
            }
        }
    }

    private long timed(Batch batch) {
        warmUp(batch);
        long beginNs = clock.nowNs();
        int passes = 0;
        while (passes < FEWEST_PASSES
                || (passes < MOST_PASSES && clock.nowNs() - beginNs < TRIAL_NS)) {
            pass(batch);
            passes++;
        }
        return (clock.nowNs() - beginNs) / passes;
    }

    /**
     * Passes until the JVM's compiler leaves the processor to them: what loading made hot is
     * compiled meanwhile, and under a quota it is compiled in the model's time.
     */
    private void warmUp(Batch batch) {
        for (int i = 0; i < WARM_PASSES; i++) {
            pass(batch);
        }
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        if (compiler == null || !compiler.isCompilationTimeMonitoringSupported()) {
            return;
        }
        long beginNs = clock.nowNs();
        boolean isBusy = true;
        while (isBusy && clock.nowNs() - beginNs < MOST_WARM_NS) {
            long fromNs = clock.nowNs();
            long fromMs = compiler.getTotalCompilationTime();
            while (clock.nowNs() - fromNs < GLANCE_NS) {
                pass(batch);
            }
            long compiledNs =
                    TimeUnit.MILLISECONDS.toNanos(compiler.getTotalCompilationTime() - fromMs);
            isBusy = compiledNs > (clock.nowNs() - fromNs) / QUIET_PART;
        }
    }

    private void pass(Batch batch) {
        learner.begin();
        var unused = learner.take(batch, 1, 0, ReadyListener.NONE);
    }
}

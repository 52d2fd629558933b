package dev.medley.trees;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import java.net.InetAddress;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("real")
@Timeout(60)
class ApartTest {
    private static final int CALLERS = 4;

    @Test
    void shouldWorkOnTheCallersThreadUnlessThatIsInAGroup() throws Exception {
        Thread caller = Thread.currentThread();
        try (Apart apart = new Apart();
                CollectiveTracker tracker =
                        new CollectiveTracker(
                                "a key",
                                List.of("127.0.0.1"),
                                InetAddress.getLoopbackAddress(),
                                () -> false)) {
            assertThat(apart.callHere(Thread::currentThread)).isSameAs(caller);
            assertThat(apart.call(Thread::currentThread)).isNotSameAs(caller);
            TreeGroup.Door door = new TreeGroup.Door("127.0.0.1", tracker.port(), "a key");
            try (TreeGroup unused =
                    TreeGroup.join(door, 0, TimeUnit.SECONDS.toNanos(30), () -> false)) {
                assertThat(apart.callHere(Thread::currentThread)).isNotSameAs(caller);
            }
            assertThat(apart.callHere(Thread::currentThread)).isSameAs(caller);
        }
    }

    /** All of them are in {@link TreeLearner#forward} at once, with a model that is just loaded. */
    @Test
    void shouldGiveAllCallersWhatOneGets() throws Exception {
        Batch unseen = TreeSamples.batch(2, 0, 500, TargetKind.CLASSES);
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try (TreeLearner trained = TreeSamples.boosting(TargetKind.CLASSES)) {
            trained.learnFrom(1000, TreeSamples.batches(1, 0, 1000, TargetKind.CLASSES));
            for (int round = 0; round < 5; round++) {
                double unused = trained.grow().lossSum();
            }
            FloatBuffer expected = outputs(trained, unseen);
            try (TreeLearner loaded = TreeSamples.boosting(TargetKind.CLASSES)) {
                loaded.load(trained.trees());
                CyclicBarrier together = new CyclicBarrier(CALLERS);
                Callable<FloatBuffer> caller =
                        () -> {
                            int unused = together.await(30, TimeUnit.SECONDS);
                            FloatBuffer last = outputs(loaded, unseen);
                            for (int again = 0; again < 20; again++) {
                                assertThat(outputs(loaded, unseen)).isEqualTo(last);
                            }
                            return last;
                        };
                List<Callable<FloatBuffer>> callers = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    callers.add(caller);
                }
                for (Future<FloatBuffer> each : threads.invokeAll(callers)) {
                    assertThat(each.get()).isEqualTo(expected);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static FloatBuffer outputs(TreeLearner learner, Batch batch) {
        return learner.forward(batch).data().buffer().asFloatBuffer();
    }
}

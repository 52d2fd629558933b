package dev.medley.serving.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Seeds;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.time.Clock;
import dev.medley.onnx.engine.Engine;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.input.EncodedRows;
import dev.medley.serving.input.EncodedRows.Arrays;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches are of rows, and each caller gets its own: another server gave all to one (#1306). */
@Tag("property")
class BatcherTest {
    private static final Signature TWO_IN =
            new Signature(
                    List.of(new Signature.Input("x", ElementType.FLOAT32, List.of(2), List.of())),
                    new Target(TargetKind.VALUES, 3, List.of("a", "b", "c")));
    private static final long NEVER = Long.MAX_VALUE / 2;

    /** Says of each row its two numbers and their sum. */
    private static class Echo implements Engine {
        final AtomicInteger largest = new AtomicInteger();

        @Override
        public String name() {
            return "echo";
        }

        @Override
        public float[] forward(Batch batch) {
            largest.accumulateAndGet(batch.samples(), Math::max);
            FloatBuffer in = batch.inputs().get(0).data().buffer().asFloatBuffer();
            float[] out = new float[3 * batch.samples()];
            for (int row = 0; row < batch.samples(); row++) {
                out[3 * row] = in.get(2 * row);
                out[3 * row + 1] = in.get(2 * row + 1);
                out[3 * row + 2] = out[3 * row] + out[3 * row + 1];
            }
            return out;
        }

        @Override
        public void close() {}
    }

    private static Batcher batcher(Engine engine, BatchLimits limits, int copies) {
        Batcher.Work work = new Batcher.Work("t", engine, TWO_IN, () -> null);
        return new Batcher(work, limits, copies, new BatchFigures(), Clock.system());
    }

    private static EncodedRows rows(double... values) {
        return new Arrays(
                List.of(new Arrays.Input(ElementType.FLOAT32, values)), values.length / 2);
    }

    static LongStream seeds() {
        return LongStream.range(0, Integer.getInteger("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyCallerShouldGetItsOwnRows(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        int most = 1 + random.nextInt(20);
        BatchLimits limits = new BatchLimits(10_000_000_000L, most, 1_000_000);
        Echo echo = new Echo();
        try (Batcher batcher = batcher(echo, limits, 1 + random.nextInt(3))) {
            List<double[]> asked = new ArrayList<>();
            List<CompletableFuture<Computed>> answers = new ArrayList<>();
            for (int caller = 0; caller < 60; caller++) {
                double[] values = new double[2 * random.nextInt(3 * most)];
                for (int i = 0; i < values.length; i++) {
                    values[i] = random.nextInt(1 << 20);
                }
                asked.add(values);
                answers.add(batcher.submit(rows(values), NEVER));
            }
            for (int caller = 0; caller < asked.size(); caller++) {
                Computed found = answers.get(caller).get(60, TimeUnit.SECONDS);
                double[] values = asked.get(caller);
                assertThat(found.outputs()).hasSize(values.length / 2 * 3);
                for (int row = 0; row < values.length / 2; row++) {
                    assertThat(found.row(row))
                            .containsExactly(
                                    (float) values[2 * row],
                                    (float) values[2 * row + 1],
                                    (float) values[2 * row] + (float) values[2 * row + 1]);
                }
            }
            assertThat(echo.largest.get()).isLessThanOrEqualTo(most);
        }
    }

    @Test
    void shouldSendAwayWhatHasNoRoom() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Engine slow =
                new Echo() {
                    @Override
                    public float[] forward(Batch batch) {
                        begun.countDown();
                        try {
                            goOn.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                        return super.forward(batch);
                    }
                };
        BatchLimits limits = new BatchLimits(10_000_000_000L, 4, 6);
        try (Batcher batcher = batcher(slow, limits, 1)) {
            CompletableFuture<Computed> first = batcher.submit(rows(1, 2), NEVER);
            begun.await();
            CompletableFuture<Computed> second = batcher.submit(rows(new double[10]), NEVER);
            CompletableFuture<Computed> third = batcher.submit(rows(1, 2, 3, 4), NEVER);
            assertThatThrownBy(third::join)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOf(ServingFailure.class)
                    .hasMessageContaining("5 rows wait already");
            CompletableFuture<Computed> late = batcher.submit(rows(7, 8), Long.MIN_VALUE / 2);
            goOn.countDown();
            assertThat(first.get(60, TimeUnit.SECONDS).outputs()).hasSize(3);
            assertThat(second.get(60, TimeUnit.SECONDS).outputs()).hasSize(15);
            assertThatThrownBy(late::join).cause().hasMessageContaining("is over");
        }
        CompletableFuture<Computed> after;
        try (Batcher batcher = batcher(new Echo(), limits, 1)) {
            batcher.close();
            after = batcher.submit(rows(1, 2), NEVER);
        }
        assertThatThrownBy(after::join).cause().hasMessageContaining("unloaded");
    }

    @Test
    void whatAModelCannotComputeShouldCostItsCallerAlone() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        Engine picky =
                new Echo() {
                    @Override
                    public float[] forward(Batch batch) {
                        await(goOn);
                        float[] out = super.forward(batch);
                        for (float value : out) {
                            if (value == 13) {
                                throw new IllegalStateException("as planned");
                            }
                        }
                        return out;
                    }
                };
        try (Batcher batcher = batcher(picky, BatchLimits.USUAL, 1)) {
            CompletableFuture<Computed> first = batcher.submit(rows(0, 0), NEVER);
            CompletableFuture<Computed> good = batcher.submit(rows(1, 2), NEVER);
            CompletableFuture<Computed> bad = batcher.submit(rows(13, 0), NEVER);
            CompletableFuture<Computed> other = batcher.submit(rows(3, 4), NEVER);
            goOn.countDown();
            assertThat(first.get(60, TimeUnit.SECONDS).row(0)).containsExactly(0, 0, 0);
            assertThat(good.get(60, TimeUnit.SECONDS).row(0)).containsExactly(1, 2, 3);
            assertThat(other.get(60, TimeUnit.SECONDS).row(0)).containsExactly(3, 4, 7);
            assertThatThrownBy(bad::join).cause().hasMessageContaining("the model failed");
        }
    }

    @Test
    void aLargeRequestShouldNotSendOthersAway() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        Engine slow =
                new Echo() {
                    @Override
                    public float[] forward(Batch batch) {
                        await(goOn);
                        return super.forward(batch);
                    }
                };
        BatchLimits limits = new BatchLimits(10_000_000_000L, 4, 40);
        try (Batcher batcher = batcher(slow, limits, 1)) {
            CompletableFuture<Computed> large = batcher.submit(rows(new double[20_000]), NEVER);
            CompletableFuture<Computed> small = batcher.submit(rows(1, 2), NEVER);
            goOn.countDown();
            assertThat(small.get(60, TimeUnit.SECONDS).row(0)).containsExactly(1, 2, 3);
            assertThat(large.get(60, TimeUnit.SECONDS).outputs()).hasSize(30_000);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aFailureShouldEndItsBatchAlone() throws Exception {
        for (Throwable failure :
                List.of(new IllegalStateException("planned"), new OutOfMemoryError("planned"))) {
            AtomicInteger calls = new AtomicInteger();
            Engine once =
                    new Echo() {
                        @Override
                        public float[] forward(Batch batch) {
                            if (calls.incrementAndGet() > 1) {
                                return super.forward(batch);
                            } else if (failure instanceof Error error) {
                                throw error;
                            }
                            throw (RuntimeException) failure;
                        }
                    };
            try (Batcher batcher = batcher(once, BatchLimits.USUAL, 1)) {
                CompletableFuture<Computed> first = batcher.submit(rows(1, 2), NEVER);
                assertThatThrownBy(first::join).cause().hasMessageContaining("the model failed");
                assertThat(batcher.submit(rows(3, 4), NEVER).get(60, TimeUnit.SECONDS).row(0))
                        .containsExactly(3, 4, 7);
            }
        }
    }
}

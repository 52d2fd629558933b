package dev.medley.onnx.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A trial beside others who answer rests three times as long as it computes, piece by piece. */
@Tag("unit")
class PacedWorkTest {
    private static final long PIECE_NS = 1_000_000;

    private final AtomicLong nowNs = new AtomicLong();
    private final AtomicLong restedNs = new AtomicLong();
    private final AtomicLong longestNs = new AtomicLong();
    private long computedNs;
    private long sinceRestNs;

    private final Clock clock =
            new Clock() {
                @Override
                public long nowNs() {
                    return nowNs.get();
                }

                @Override
                public long wallMillis() {
                    return 0;
                }
            };

    private PacedWork work(Pace pace) {
        return new PacedWork(pace, clock, this::rest);
    }

    private void rest(long ns) {
        restedNs.addAndGet(ns);
        nowNs.addAndGet(ns);
        sinceRestNs = 0;
    }

    private void compute() {
        nowNs.addAndGet(PIECE_NS);
        computedNs += PIECE_NS;
        sinceRestNs += PIECE_NS;
        longestNs.accumulateAndGet(sinceRestNs, Math::max);
    }

    private final Engine engine =
            new Engine() {
                @Override
                public String name() {
                    return "counted";
                }

                @Override
                public float[] forward(Batch batch) {
                    compute();
                    return new float[1];
                }

                @Override
                public void close() {}
            };

    @Test
    void shouldNeverComputeTwoPiecesWithoutARest() {
        long medianNs = Engines.median(engine, batch(), work(Pace.QUARTER));
        assertThat(medianNs).isEqualTo(PIECE_NS);
        assertThat(longestNs.get()).isEqualTo(PIECE_NS);
        assertThat(restedNs.get()).isEqualTo(3 * computedNs);
    }

    @Test
    void shouldNotRestWhereNobodyAnswers() {
        assertThat(Engines.median(engine, batch(), work(Pace.FULL))).isEqualTo(PIECE_NS);
        assertThat(restedNs.get()).isZero();
    }

    @Test
    void shouldRestBehindAPieceOfLoading() {
        boolean isDone =
                work(Pace.QUARTER)
                        .done(
                                () -> {
                                    compute();
                                    return true;
                                });
        assertThat(isDone).isTrue();
        assertThat(restedNs.get()).isEqualTo(3 * PIECE_NS);
    }

    private static Batch batch() {
        HostArray one = HostArray.allocate(ElementType.FLOAT32, 1);
        return new Batch(List.of(one), one, 1);
    }
}

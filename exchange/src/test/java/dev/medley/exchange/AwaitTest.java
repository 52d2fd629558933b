package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.strategy.StrategySpec.Transport;
import java.nio.DoubleBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiting within a step gives what was handed over so far, and the step goes on. */
@Tag("unit")
class AwaitTest {
    private static final int RANKS = 3;
    private static final int LARGE = 50_000;
    private static final int SMALL = 2;

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHARED_MEMORY"})
    void shouldGiveEachSliceBeforeTheNextIsHandedOver(Transport transport) throws Exception {
        try (Ranks ranks = new Ranks(RANKS, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, 1 << 20);
            for (int step = 1; step <= 3; step++) {
                StepTag tag = new StepTag(1, step, 1);
                ranks.play(all, each -> twoSlices(each, tag));
            }
            Ranks.close(all);
        }
    }

    private static boolean twoSlices(Collective each, StepTag tag) {
        DoubleBuffer values = each.buffer().buffer().asDoubleBuffer();
        each.begin(tag);
        put(values, 0, LARGE, each.rank() + 1);
        each.sum(0, (long) LARGE * Double.BYTES, ElementType.FLOAT64);
        // Ranks may wait at different places, or not at all.
        if (each.rank() > 0) {
            assertThat(each.await()).isNull();
            assertAll(values, 0, LARGE, 6);
        }
        put(values, LARGE, SMALL, 10 * (each.rank() + 1));
        each.sum((long) LARGE * Double.BYTES, SMALL * Double.BYTES, ElementType.FLOAT64);
        if (each.rank() == 2) {
            assertThat(each.await()).isNull();
            assertAll(values, LARGE, SMALL, 60);
        }
        assertThat(each.finish()).isNull();
        assertAll(values, 0, LARGE, 6);
        assertAll(values, LARGE, SMALL, 60);
        assertThat(each.times().withinWaitNs() > 0).isEqualTo(each.rank() > 0);
        assertThat(each.times().withinWaitNs()).isZero();
        return true;
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHARED_MEMORY"})
    void shouldReturnTheFaultThatEndedTheStep(Transport transport) throws Exception {
        try (Ranks ranks = new Ranks(RANKS, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, 1 << 20);
            Fault lost = new Fault(Fault.Kind.SEALED, "coordinator", "somebody was lost");
            List<Fault> faults =
                    ranks.play(
                            all,
                            each -> {
                                each.begin(new StepTag(1, 1, 1));
                                if (each.rank() == 0) {
                                    each.abort(lost);
                                } else {
                                    each.sum(0, 4096, ElementType.FLOAT64);
                                }
                                return each.await();
                            });
            assertThat(faults).doesNotContainNull();
            Ranks.close(all);
        }
    }

    private static void put(DoubleBuffer values, int from, int count, double value) {
        for (int i = from; i < from + count; i++) {
            values.put(i, value);
        }
    }

    private static void assertAll(DoubleBuffer values, int from, int count, double value) {
        for (int i = from; i < from + count; i++) {
            if (values.get(i) != value) {
                throw new AssertionError(i + ": " + values.get(i) + ", not " + value);
            }
        }
    }
}

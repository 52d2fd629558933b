package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.strategy.StrategySpec.Transport;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same members go on as another epoch, over the links that they have. */
@Tag("unit")
class ContinuedGroupTest {
    private static final int BYTES = 1 << 16;
    private static final Fault SEALED = new Fault(Fault.Kind.SEALED, "coordinator", "lost");

    private static @Nullable Fault sum(Collective each, StepTag tag) {
        each.buffer().buffer().putFloat(0, each.rank() + 1);
        each.begin(tag);
        each.sum(0, BYTES, ElementType.FLOAT32);
        return each.finish();
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHARED_MEMORY"})
    void shouldSumInTheNextEpochFromZeroedMemory(Transport transport) throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, BYTES);
            assertThat(ranks.play(all, each -> sum(each, new StepTag(1, 7, 1))))
                    .containsOnlyNulls();
            assertThat(ranks.play(all, each -> each.continueAs(2))).containsOnly(true);
            for (Collective each : all) {
                assertThat(each.buffer().buffer().getFloat(0)).isZero();
            }
            assertThat(ranks.play(all, each -> sum(each, new StepTag(2, 8, 2))))
                    .containsOnlyNulls();
            for (Collective each : all) {
                assertThat(each.buffer().buffer().getFloat(0)).isEqualTo(6);
            }
            Ranks.close(all);
        }
    }

    /** One that has not heard of the next epoch is not in the same step. */
    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHARED_MEMORY"})
    void shouldDiscardTheStepWhereOneIsStillInTheEpochBefore(Transport transport) throws Exception {
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, BYTES);
            assertThat(all.get(0).continueAs(2)).isTrue();
            List<Fault> faults =
                    ranks.play(all, each -> sum(each, new StepTag(2 - each.rank(), 8, 2)));
            assertThat(faults).doesNotContainNull();
            assertThat(faults.get(0).message()).contains("epoch 2");
            Ranks.close(all);
        }
    }

    @Test
    void shouldNotGoOnAfterItsEnd() throws Exception {
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), Transport.TCP, BYTES);
            all.get(0).abort(SEALED);
            assertThat(all.get(0).continueAs(2)).isFalse();
            Ranks.close(all);
            assertThat(all.get(1).continueAs(2)).as("closed").isFalse();
        }
    }

    /** Letters that are still on their way would come to steps that they are not for. */
    @Test
    void shouldNotGoOnWithLettersOnTheirWay() throws Exception {
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            List<Collective> all = ranks.formWithPosts(ranks.everyone(1), Transport.TCP, BYTES);
            assertThat(ranks.play(all, each -> each.continueAs(2))).containsOnly(false);
            Ranks.close(all);
        }
    }
}

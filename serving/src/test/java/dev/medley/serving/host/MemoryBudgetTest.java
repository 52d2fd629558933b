package dev.medley.serving.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.serving.host.MemoryBudget.Choice;
import dev.medley.serving.host.MemoryBudget.Way;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A version is loaded beside the old one where both have room, and after it where one has. */
@Tag("unit")
class MemoryBudgetTest {
    private static final long MIB = 1 << 20;

    @Test
    void shouldLoadBesideWhereBothHaveRoom() {
        Choice choice = MemoryBudget.of(100 * MIB).choose(40 * MIB, 40 * MIB, 60 * MIB);
        assertThat(choice.way()).isEqualTo(Way.BESIDE);
    }

    @Test
    void shouldDrainWhereOneHasRoomAndSayWhy() {
        Choice choice = MemoryBudget.of(100 * MIB).choose(60 * MIB, 60 * MIB, 60 * MIB);
        assertThat(choice.way()).isEqualTo(Way.DRAINED);
        assertThat(choice.why())
                .isEqualTo(
                        "the new version needs about 60.0 MiB, and of --memory 100 MiB only 40.0"
                                + " MiB are left beside the old one, which has 60.0 MiB");
    }

    @Test
    void shouldRefuseWhatHasNoRoomEvenAlone() {
        MemoryBudget budget = MemoryBudget.of(100 * MIB);
        assertThat(budget.choose(60 * MIB, 60 * MIB, 101 * MIB).way()).isEqualTo(Way.REFUSED);
        assertThat(budget.choose(60 * MIB, 20 * MIB, 61 * MIB).way())
                .as("others stay")
                .isEqualTo(Way.REFUSED);
        assertThat(budget.choose(60 * MIB, 0, 41 * MIB).way())
                .as("none goes for a canary")
                .isEqualTo(Way.REFUSED);
        assertThatThrownBy(() -> MemoryBudget.of(0)).isInstanceOf(ConfigException.class);
    }

    @Test
    void shouldMeasureWhatTheMachineHasFree() {
        assertThat(MemoryBudget.measured().choose(0, 0, 1).way()).isEqualTo(Way.BESIDE);
        assertThat(MemoryBudget.measured().choose(0, 0, Long.MAX_VALUE - 1).way())
                .isIn(Way.REFUSED, Way.BESIDE); // Beside where the system does not tell.
    }
}

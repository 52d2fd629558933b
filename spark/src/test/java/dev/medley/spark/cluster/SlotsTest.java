package dev.medley.spark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.spark.cluster.ExecutorWishes.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class SlotsTest {
    @Test
    void shouldRefuseMoreWorkersThanThereAreSlots() {
        Slots two = new Slots(2, 4, false, false, null);
        two.require(new ExecutorWishes(2, 5, Kind.TASKS));
        assertThatThrownBy(() -> two.require(new ExecutorWishes(3, 3, Kind.TASKS)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("3 workers", "2 slots of 4 cores");
    }

    /** Before Spark says in its own words that a job has not accepted any resources. */
    @Test
    void shouldRefuseMoreWorkersThanAMasterOfThisMachineHasCores() {
        ExecutorWishes five = new ExecutorWishes(5, 5, Kind.TASKS);
        MasterRoom.require("local-cluster[3,2,1024]", five);
        MasterRoom.require("local[*]", five);
        MasterRoom.require("local[x]", five); // Spark says what is wrong with it.
        MasterRoom.require("spark://host:7077", five);
        assertThatThrownBy(() -> MasterRoom.require("local-cluster[2,1,1024]", five))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("5 workers", "local-cluster[2,1,1024] has 2 cores");
        assertThatThrownBy(() -> MasterRoom.require("local[2]", five))
                .hasMessageContaining("local[2] has 2 cores");
        assertThatThrownBy(() -> MasterRoom.require("local", five))
                .hasMessageContaining("local has 1 core:");
    }

    @Test
    void shouldRefuseABarrierStageWhereExecutorsComeAndGo() {
        Slots open = new Slots(Slots.OPEN, 1, false, true, null);
        open.require(new ExecutorWishes(9, 90, Kind.TASKS));
        assertThatThrownBy(() -> open.require(new ExecutorWishes(2, 2, Kind.BARRIER)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("dynamicAllocation", "launcher tasks");
    }

    @Test
    void shouldRefuseWishesThatMakeNoSense() {
        assertThatThrownBy(() -> new ExecutorWishes(0, 1, Kind.TASKS))
                .hasMessageContaining("workers=0");
        assertThatThrownBy(() -> new ExecutorWishes(3, 2, Kind.TASKS))
                .hasMessageContaining("maxWorkers=2");
        assertThatThrownBy(() -> new ExecutorWishes(2, 3, Kind.BARRIER))
                .hasMessageContaining("does not grow");
        assertThat(new TaskOrder("host", 1, "secret", "identity", "run", null).toString())
                .doesNotContain("secret", "identity");
    }
}

package dev.medley.spark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.spark.cluster.ExecutorWishes.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        MasterRoom.require("spark://host:7077", five);
        assertThatThrownBy(() -> MasterRoom.require("local-cluster[2,1,1024]", five))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("5 workers", "local-cluster[2,1,1024] has 2 cores");
        assertThatThrownBy(() -> MasterRoom.require("local[2]", five))
                .hasMessageContaining("local[2] has 2 cores");
        assertThatThrownBy(() -> MasterRoom.require("local", five))
                .hasMessageContaining("local has 1 core:");
    }

    /** Before Spark begins and logs its own complaint first. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "spark://host",
                "spark://host:port",
                "spark://host:7077/x",
                "local[x]",
                "local[0]",
                "local[]",
                "local[2",
                "local-cluster[2,1]",
                "local-cluster[0,1,1024]",
                "local-cluster[2,1,1g]"
            })
    void shouldRefuseANameThatNoMasterHas(String master) {
        assertThatThrownBy(() -> MasterRoom.require(master, new ExecutorWishes(1, 1, Kind.TASKS)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(
                        "--on " + master + ": Spark has no such master: write spark://");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spark://a:7077,b:7077",
                "spark://[::1]:7077",
                "yarn",
                "k8s://https://host:6443",
                "local[*]",
                "local[*, 3]",
                "local[ 2 ]",
                "local-cluster[ 2 , 1 , 1024 ]"
            })
    void shouldTakeAMaster(String master) {
        assertThatCode(() -> MasterRoom.require(master, new ExecutorWishes(1, 1, Kind.TASKS)))
                .doesNotThrowAnyException();
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

package dev.medley.fleet.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.fleet.catalog.Policies;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The hub's core with agents, processes and the hub itself killed at any moment. */
@Tag("simulation")
class HubCoreTest {
    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldLoseNoJobAndGiveNoMachineTwice(long seed) {
        HubWorld world =
                new HubWorld(seed, Policies.named(seed % 2 == 0 ? "index" : "fifo_fastest"));
        world.submit();
        world.join("m0");
        for (int second = 0; second < 200; second++) {
            world.step(false);
        }
        world.join("m0");
        world.join("m1");
        world.join("m2");
        for (int second = 0; second < 3000 && !world.isQuiet(); second++) {
            world.step(true);
        }
        assertThat(world.isQuiet()).as("all jobs have ended, but for:%n%s", world.open()).isTrue();
        assertThat(world.hub().state().jobs()).hasSizeGreaterThanOrEqualTo(world.jobs());
    }
}

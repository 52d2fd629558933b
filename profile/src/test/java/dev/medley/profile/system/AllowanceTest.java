package dev.medley.profile.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AllowanceTest {
    @TempDir Path root;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    /** As Kubernetes does it: the files of a group that is there are written anew. */
    @Test
    @Tag("unit")
    void shouldSeeWhatIsGrantedAtTheMoment() {
        FakeSystem system = new FakeSystem(root);
        Supplier<Allowance> here = Allowance.of(Cgroup.of(system.files()), () -> 8);
        assertThat(here.get()).isEqualTo(new Allowance(8, 2.0, 2L << 30));
        system.file("/cg/cpu.max", "350000 100000\n").file("/cg/memory.max", "1073741824\n");
        assertThat(here.get()).isEqualTo(new Allowance(8, 3.5, 1L << 30));
        system.file("/cg/cpu.max", "max 100000\n").file("/cg/memory.max", "max\n");
        assertThat(here.get()).isEqualTo(new Allowance(8, null, null));
        assertThat(here.get().cores()).isEqualTo(8);
    }

    @Test
    @Tag("unit")
    void threadsShouldFollowWholeCores() {
        assertThat(of(8, 4.0).threads(2, of(8, 2.0))).isEqualTo(4);
        assertThat(of(8, 1.0).threads(4, of(8, 4.0))).isEqualTo(1);
        assertThat(of(8, 0.5).threads(1, of(8, 1.0))).as("a part of a core").isEqualTo(1);
        assertThat(of(8, 1.5).threads(2, of(8, 2.0))).as("rounded up").isEqualTo(2);
        assertThat(of(8, null).threads(2, of(8, 2.0))).as("no limit").isEqualTo(8);
        assertThat(of(8, 8.0).threads(1, of(8, 4.0))).as("one of four agents").isEqualTo(2);
        assertThat(of(2, 8.0).threads(2, of(2, 1.0))).as("no more processors").isEqualTo(2);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void threadsShouldStayAsTheyAreWhereCoresDo(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        for (int i = 0; i < 200; i++) {
            int threads = 1 + random.nextInt(64);
            Allowance before = some(random);
            assertThat(before.threads(threads, before)).isEqualTo(threads);
            int next = some(random).threads(threads, before);
            assertThat(next).isBetween(1, Math.max(threads, 64));
        }
    }

    private static Allowance some(RandomGenerator random) {
        int processors = 1 + random.nextInt(64);
        boolean isLimited = random.nextInt(4) > 0;
        return of(processors, isLimited ? 0.05 + 70 * random.nextDouble() : null);
    }

    private static Allowance of(int processors, @Nullable Double quota) {
        return new Allowance(processors, quota, null);
    }
}

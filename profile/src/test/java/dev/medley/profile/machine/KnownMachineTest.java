package dev.medley.profile.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.base.time.Clock;
import dev.medley.profile.ManualClock;
import dev.medley.profile.machine.MachineProfile.Scope;
import dev.medley.profile.machine.MachineProfile.Speeds;
import dev.medley.profile.system.FakeSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a machine is measured; counted by the runs of a kernel, not by the clock. */
@Tag("real")
class KnownMachineTest {
    private static final String KEPT = "measured on 2026-09-21, nothing has changed since";

    @TempDir Path root;
    @TempDir Path caches;
    @TempDir Path disk;
    private final ManualClock wall = new ManualClock();
    private final AtomicLong ticksNs = new AtomicLong();

    /** Everything takes time, so that there are speeds; days pass when a test says so. */
    private final Clock clock =
            new Clock() {
                @Override
                public long nowNs() {
                    return ticksNs.addAndGet(1000);
                }

                @Override
                public long wallMillis() {
                    return wall.wallMillis();
                }
            };

    private FakeSystem system;
    private int kernelRuns;

    @BeforeEach
    void start() {
        system = new FakeSystem(root);
    }

    @Test
    void aSecondLookShouldMeasureNothing() {
        MachineProfile first = machine().look();
        assertThat(first.look().speeds()).isEqualTo(Speeds.MEASURED);
        assertThat(first.look().why()).isEqualTo("measured for the first time");
        int runs = kernelRuns;
        assertThat(runs).isPositive();
        wall.passMillis(1000);
        system.file("/proc/meminfo", "MemTotal: 4194304 kB\nMemAvailable: 1024 kB\n");
        MachineProfile second = machine().look();
        assertThat(kernelRuns).isEqualTo(runs);
        assertThat(second.look().speeds()).isEqualTo(Speeds.KEPT);
        assertThat(second.look().why()).isEqualTo(KEPT);
        assertThat(second.look().wallMillis()).isEqualTo(first.wallMillis() + 1000);
        assertThat(second.wallMillis()).isEqualTo(first.wallMillis());
        assertThat(second.compute()).isEqualTo(first.compute());
        assertThat(second.memory().bandwidthBytesPerSecond())
                .isEqualTo(first.memory().bandwidthBytesPerSecond());
        assertThat(second.memory().availableBytes()).as("as it is now").isEqualTo(1 << 20);
        assertThat(MachineTable.text(second)).contains("Measured on 2026-09-21, nothing has");
    }

    @Test
    void aChangedMachineShouldBeMeasuredAnewAndRememberedAsItWas() {
        machine().look();
        system.file("/cg/cpu.max", "100000 100000\n");
        assertThat(whyOfALookThatMeasures())
                .isEqualTo("measured anew: the quota was 2.00 cores and is 1.00 cores now");
        system.file("/cg/cpu.max", "200000 100000\n");
        assertThat(machine().look().look().why()).as("as it was before").isEqualTo(KEPT);
    }

    @Test
    void shouldNameTwoOfManyChanges() {
        machine().look();
        system.file("/cg/cpu.max", "max 100000\n").file("/cg/memory.max", "max\n");
        system.file("/etc/machine-id", "4567").file("/etc/os-release", "");
        assertThat(whyOfALookThatMeasures())
                .startsWith("measured anew: the quota was 2.00 cores and is none now, the memory")
                .endsWith(" and is none now, and 2 more");
    }

    @Test
    void whatIsOldShouldBeMeasuredAnew() {
        machine().look();
        wall.passMillis(TimeUnit.DAYS.toMillis(30));
        assertThat(machine().look().look().why()).isEqualTo(KEPT);
        wall.passMillis(1);
        assertThat(whyOfALookThatMeasures())
                .isEqualTo(
                        "measured anew: what was measured on 2026-09-21 is more than 30 days old");
    }

    @Test
    void aThoroughMeasurementShouldCountForLaterLooks() throws IOException {
        machine().look();
        MachineProfile full = machine().measure();
        assertThat(full.disk().writeBytesPerSecond().exists()).isTrue();
        assertThat(full.look().why()).isEqualTo(CachedMeasurement.ASKED);
        int runs = kernelRuns;
        MachineProfile look = machine().look();
        assertThat(look.scope()).isEqualTo(Scope.FULL);
        assertThat(look.disk().writeBytesPerSecond()).isEqualTo(full.disk().writeBytesPerSecond());
        assertThat(kernelRuns).isEqualTo(runs);
        machine().measure();
        assertThat(kernelRuns).as("whoever asks gets a measurement").isGreaterThan(runs);
        assertThat(files()).hasSize(1);
    }

    @Test
    void anotherDiskShouldNotHaveTheSpeedsOfTheOneThatWasMeasured() {
        assertThat(machine().measure().disk().readBytesPerSecond().exists()).isTrue();
        MachineProbe probe = new MachineProbe(clock, Path.of("/proc"), List.of(), system.files());
        MachineProfile.Disk other = new KnownMachine(probe, caches, clock).look().disk();
        assertThat(other.folder()).isEqualTo("/proc");
        assertThat(other.readBytesPerSecond().exists()).isFalse();
    }

    @Test
    void aDriverThatDidNotAnswerShouldBeAskedAgain() {
        system.file("/dev/nvidia0", "");
        MachineProfile first = machine().look();
        assumeTrue(first.gpus().isEmpty(), "skipped: there is a driver that answers");
        assertThat(whyOfALookThatMeasures()).isEqualTo("measured for the first time");
    }

    private String whyOfALookThatMeasures() {
        int runs = kernelRuns;
        MachineProfile machine = machine().look();
        assertThat(kernelRuns).as("measured").isGreaterThan(runs);
        assertThat(machine.look().speeds()).isEqualTo(Speeds.MEASURED);
        return machine.look().why();
    }

    private KnownMachine machine() {
        ComputeKernel kernel = new ComputeKernel("counted", 1, () -> kernelRuns++);
        MachineProbe probe = new MachineProbe(clock, disk, List.of(kernel), system.files());
        return new KnownMachine(probe, caches, clock);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(caches.resolve("machine-profiles"))) {
            return all.toList();
        }
    }
}

package dev.medley.profile.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.profile.machine.Figure.Certainty;
import dev.medley.profile.machine.MachineProfile.Gpu;
import dev.medley.profile.system.ProcessMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

@Tag("real")
class MachineProbeTest {
    private static final long SIZE = 200;

    @TempDir Path folder;
    @TempDir Path caches;
    private double sink;

    @Test
    void shouldMeasureThisMachine() {
        MachineProfile machine = machine(folder).measure();
        assertThat(MachineTable.text(machine))
                .contains("memory bandwidth")
                .contains("GB/s")
                .contains("no bf16 here");
        assertThat(sink).isFinite();
        assertThat(machine.processor().logicalCores()).isPositive();
        assertThat(machine.processor().usableCores())
                .isPositive()
                .isLessThanOrEqualTo(machine.processor().logicalCores());
        assertThat(machine.memory().totalBytes()).isGreaterThan(512L << 20);
        assertThat(machine.memory().bandwidthBytesPerSecond().value()).isBetween(5e8, 5e12);
        assertThat(machine.compute()).hasSize(2);
        assertThat(machine.compute().get(0).flopsPerSecond().value()).isBetween(1e7, 1e12);
        assertThat(machine.compute().get(1).flopsPerSecond().how()).contains("no bf16 here");
        assertThat(machine.disk().writeBytesPerSecond().value()).isPositive();
        assertThat(machine.disk().readBytesPerSecond().value()).isPositive();
        assertThat(machine.tookNs()).isLessThan(15_000_000_000L);
        assertThat(folder).as("what was written is gone").isEmptyDirectory();
        assertThat(Json.parse(Json.pretty(machine), MachineProfile.class)).isEqualTo(machine);
        ObjectNode old = ((ObjectNode) Json.tree(machine)).without("look");
        assertThat(Json.bind(old, MachineProfile.class).look().speeds())
                .as("a record of a version that kept nothing")
                .isEqualTo(MachineProfile.Speeds.MEASURED);
    }

    @Test
    void shouldBeQuickWhenAskedToBe() {
        MachineProfile machine = machine(folder).look();
        assertThat(machine.tookNs()).isLessThan(5_000_000_000L);
        assertThat(machine.disk().readBytesPerSecond().certainty()).isEqualTo(Certainty.UNKNOWN);
        assertThat(machine.compute().get(0).flopsPerSecond().exists()).isTrue();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldSayWhyADiskWasNotMeasured() {
        MachineProfile machine = machine(Path.of("/proc/sys")).measure();
        assertThat(machine.disk().writeBytesPerSecond().how()).contains("cannot be written");
        assertThat(MachineTable.text(machine)).contains("unknown");
    }

    @Test
    void shouldAdmitThatSharedMemoryIsNoDisk() {
        Path shared = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(shared), "skipped: no /dev/shm");
        Figure read = machine(shared).measure().disk().readBytesPerSecond();
        assertThat(read.exists()).isTrue();
        assertThat(read.certainty()).isEqualTo(Certainty.ESTIMATED);
        assertThat(read.how()).contains("not on a disk");
    }

    @Test
    void shouldTakeWhatNvidiaSmiSays() throws IOException {
        Path program = folder.resolve("nvidia-smi");
        Files.writeString(
                program,
                """
                #!/bin/sh
                [ "$2" = --format=csv,noheader,nounits ] || exit 1
                echo 'NVIDIA H200, 143771, 570.86.15'
                echo 'NVIDIA T4, [N/A], 570.86.15'
                """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(GpuProbe.nvidia(program.toString()))
                .containsExactly(
                        new Gpu("NVIDIA H200", 143771L << 20, "570.86.15", "nvidia-smi"),
                        new Gpu("NVIDIA T4", 0, "570.86.15", "nvidia-smi"));
        assertThat(GpuProbe.nvidia(folder.resolve("absent").toString())).isEmpty();
    }

    @Test
    void shouldKnowItsOwnMemory() {
        long before = ProcessMemory.residentBytes();
        ByteBuffer more =
                ByteBuffer.allocateDirect(64 << 20); // A heap may have been as large before.
        for (int i = 0; i < more.capacity(); i += 1024) {
            more.put(i, (byte) 1);
        }
        assertThat(ProcessMemory.residentBytes() - before).isGreaterThan(32L << 20);
        sink += more.get(1024);
    }

    private KnownMachine machine(Path disk) {
        ComputeKernel product = new ComputeKernel("fp32", 2.0 * SIZE * SIZE * SIZE, this::multiply);
        ComputeKernel absent =
                new ComputeKernel(
                        "bf16",
                        1,
                        () -> {
                            throw new UnsupportedOperationException("no bf16 here");
                        });
        Clock clock = Clock.system();
        MachineProbe probe = new MachineProbe(clock, disk, List.of(product, absent));
        return new KnownMachine(probe, caches, clock);
    }

    private void multiply() {
        float[] a = new float[(int) (SIZE * SIZE)];
        float[] c = new float[(int) (SIZE * SIZE)];
        for (int i = 0; i < SIZE; i++) {
            for (int k = 0; k < SIZE; k++) {
                for (int j = 0; j < SIZE; j++) {
                    c[(int) (i * SIZE + j)] += a[(int) (i * SIZE + k)] * a[(int) (k * SIZE + j)];
                }
            }
        }
        sink += c[0];
    }
}

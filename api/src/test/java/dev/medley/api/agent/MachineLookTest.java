package dev.medley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.profile.machine.Figure;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.profile.machine.MachineProfile.Disk;
import dev.medley.profile.machine.MachineProfile.Gpu;
import dev.medley.profile.machine.MachineProfile.Look;
import dev.medley.profile.machine.MachineProfile.Memory;
import dev.medley.profile.machine.MachineProfile.Platform;
import dev.medley.profile.machine.MachineProfile.Processor;
import dev.medley.profile.machine.MachineProfile.Scope;
import dev.medley.profile.machine.MachineProfile.Speeds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When an agent says what its machine is. */
@Tag("unit")
class MachineLookTest {
    private static final long GIB = 1L << 30;
    private static final Figure UNKNOWN = Figure.unknown("in a test");
    private static final Gpu GPU = new Gpu("NVIDIA T4", 16 * GIB, "570", "nvidia-smi");

    private final List<String> said = new ArrayList<>();
    private Speeds speeds = Speeds.MEASURED;
    private String why = "first";
    private MachineProfile machine = machine(1, null, 16 * GIB);
    private final MachineLook look = new MachineLook(() -> machine, said::add);

    @Test
    void shouldDescribeTheMachineOnceAsLongAsItIsTheSame() {
        look.get();
        assertThat(said)
                .containsExactly("this machine: Xeon, 4 cores, avx2, 16 GiB, no GPU; first");
        machine = machine(2, null, 16 * GIB + 1);
        assertThat(look.get()).as("as it is now").isEqualTo(Json.tree(machine));
        assertThat(said).as("of what it was before").hasSize(1);
    }

    @Test
    void shouldDescribeItAgainWheneverItIsAnother() {
        look.get();
        machine = machine(1, 1.5, 16 * GIB);
        look.get();
        look.get();
        machine = machine(1, 1.5, 8 * GIB);
        look.get();
        machine = machine(1, 1.5, 8 * GIB, GPU);
        look.get();
        machine = machine(1, null, 16 * GIB);
        look.get();
        assertThat(said)
                .containsExactly(
                        "this machine: Xeon, 4 cores, avx2, 16 GiB, no GPU; first",
                        "this machine: Xeon, 4 cores (1.50 granted), avx2, 16 GiB, no GPU; first",
                        "this machine: Xeon, 4 cores (1.50 granted), avx2, 8 GiB, no GPU; first",
                        "this machine: Xeon, 4 cores (1.50 granted), avx2, 8 GiB, NVIDIA T4; first",
                        "this machine: Xeon, 4 cores, avx2, 16 GiB, no GPU; first");
    }

    @Test
    void shouldSayThatItWasMeasuredAnewAndBeSilentOfWhatIsKept() {
        look.get();
        speeds = Speeds.KEPT;
        why = "measured today";
        machine = machine(2, null, 16 * GIB);
        look.get();
        assertThat(said).hasSize(1);
        speeds = Speeds.MEASURED;
        why = "measured anew: the kernel";
        machine = machine(3, null, 16 * GIB);
        look.get();
        look.get();
        assertThat(said)
                .as("once, where nothing can be kept")
                .containsExactly(
                        "this machine: Xeon, 4 cores, avx2, 16 GiB, no GPU; first",
                        "this machine: Xeon, 4 cores, avx2, 16 GiB, no GPU;"
                                + " measured anew: the kernel");
    }

    private MachineProfile machine(
            long wallMillis, @Nullable Double quota, long memory, Gpu... gpus) {
        return new MachineProfile(
                wallMillis,
                1,
                Scope.QUICK,
                new Look(wallMillis, 1, speeds, why),
                "host",
                new Processor("Xeon", 4, 2, 4, quota, 1 << 20, List.of("avx2")),
                new Memory(memory, memory - wallMillis, null, UNKNOWN),
                List.of(),
                new Disk("/", "/dev/sda", "ext4", GIB - wallMillis, UNKNOWN, UNKNOWN),
                null,
                List.of(gpus),
                new Platform("Linux", "6", "amd64", "17", "none found"),
                List.of());
    }
}

package dev.medley.profile.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.profile.ManualClock;
import dev.medley.profile.system.FakeSystem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class MachineIdentityTest {
    private static final String PCI = "/sys/bus/pci/devices/0000:01:00.0/";

    @TempDir Path root;
    private FakeSystem system;
    private MachineIdentity before;

    @BeforeEach
    void start() {
        system = new FakeSystem(root);
        before = identity();
    }

    @Test
    void shouldNameAHalvedQuota() {
        system.file("/cg/cpu.max", "100000 100000\n");
        assertThat(identity()).isNotEqualTo(before);
        assertThat(identity().changesSince(before))
                .containsExactly("the quota was 2.00 cores and is 1.00 cores now");
    }

    /** Each of these makes what was measured before wrong. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/cg/cpu.max | max 100000 | the quota was 2.00 cores and is none now",
                "/cg/memory.max | 1073741824 | the memory limit was 2.00 GiB and is 1.00 GiB now",
                "/proc/meminfo | MemTotal: 8388608 kB | the memory was 4 GiB and is 8 GiB now",
                "/proc/sys/kernel/hostname | there | the host was here and is there now",
                "/etc/machine-id | 4567 | the machine has another id",
                "/etc/os-release | PRETTY_NAME=\"Linux 2\" | the system was Linux 1",
                "/sys/devices/system/cpu/cpu0/cache/index3/size | 2M | the cache was 1.00 MiB",
                "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor | powersave | the power"
                        + " setting was scaling_governor performance, mains 1 and is",
                "/sys/class/power_supply/AC/online | 0 | the power setting was",
                "/dev/nvidia0 | | the set of GPUs was none and is /dev/nvidia0 now",
                "/dev/dri/renderD128 | | the set of GPUs was none and is /dev/dri/renderD128 now",
                "/sys/module/nvidia/version | 570.1 | the set of GPUs was none and is NVIDIA 570.1",
                "/proc/driver/nvidia/version | NVRM 570.1 | is NVIDIA NVRM 570.1 now"
            })
    void shouldNameWhatChanges(String path, String text, String sentence) {
        String whole = path.endsWith("meminfo") ? text + "\nMemAvailable: 2000000 kB\n" : "" + text;
        system.file(path, whole);
        assertThat(identity()).isNotEqualTo(before);
        assertThat(identity().changesSince(before)).singleElement().asString().contains(sentence);
        assertThat(before.changesSince(identity())).as("and back").hasSize(1);
    }

    @Test
    void shouldNameWhatChangesOfTheProcessor() {
        String cores = FakeSystem.core(0) + FakeSystem.core(1);
        system.file("/proc/self/status", "Cpus_allowed_list:\t0\nMems_allowed_list:\t0\n");
        assertChange("the set of cores to use was 0-1 (2) and is 0 (1) now");
        system.file("/proc/self/status", "Cpus_allowed_list:\t0-1\nMems_allowed_list:\t1\n");
        assertChange("the set of memory nodes was 0 and is 1 now");
        system.file("/proc/self/status", "Cpus_allowed_list:\t0-1\nMems_allowed_list:\t0\n");
        system.file("/proc/cpuinfo", cores.replace("name\t: A", "name\t: B"));
        assertChange("the processor was A and is B now");
        system.file("/proc/cpuinfo", cores.replace("0x1", "0x2"));
        assertChange("the microcode was 0x1 and is 0x2 now");
        system.file("/proc/cpuinfo", cores.replace("avx2", "avx2 avx512f"));
        assertChange("the set of instructions was avx2 and is avx2 avx512f now");
        system.file("/proc/cpuinfo", cores + FakeSystem.core(2));
        assertChange("the number of cores was 2 (2 physical) and is 3 (3 physical) now");
    }

    @Test
    void shouldBeTheSameWhateverIsFree() {
        system.file("/proc/meminfo", "MemTotal: 4190000 kB\nMemAvailable: 17 kB\n");
        system.file("/proc/stat", "cpu  5 5 5 5 5 5 5 5\n");
        system.file("/cg/memory.events", "oom_kill 3\n");
        system.file("/dev/tty1", "");
        assertThat(identity()).isEqualTo(before);
        assertThat(identity().changesSince(before)).isEmpty();
        assertThat(Json.parse(Json.line(before), MachineIdentity.class)).isEqualTo(before);
    }

    @Test
    void aVirtualMachineThatWasStartedAnewShouldBeAnother() {
        system.file("/proc/sys/kernel/random/boot_id", "boot 2");
        assertThat(identity()).as("on bare metal").isEqualTo(before);
        system.file("/sys/hypervisor/type", "xen");
        MachineIdentity first = identity();
        system.file("/proc/sys/kernel/random/boot_id", "boot 3");
        assertThat(identity().changesSince(first))
                .containsExactly("the virtual machine was started anew, perhaps on another host");
    }

    @Test
    void shouldSeeCardsOnTheBusInAnyOrder() {
        system.file(PCI + "class", "0x030200").file(PCI + "vendor", "0x10de");
        system.file(PCI + "device", "0x2335");
        system.file(PCI.replace("01:", "02:") + "class", "0x020000");
        assertThat(identity().devices()).containsExactly("10de:2335");
        assertThat(identity().hasNvidia()).as("a driver's device").isFalse();
        system.file("/dev/nvidia3", "").file("/dev/nvidiactl", "");
        assertThat(identity().devices()).containsExactly("10de:2335", "/dev/nvidia3");
        assertThat(identity().hasNvidia()).isTrue();
    }

    private void assertChange(String sentence) {
        assertThat(identity().changesSince(before)).contains(sentence);
    }

    private MachineIdentity identity() {
        MachineProbe probe = new MachineProbe(new ManualClock(), root, List.of(), system.files());
        return probe.identity(probe.look());
    }
}

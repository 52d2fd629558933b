package dev.medley.profile.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A machine of two cores by the small files of its system, which a test changes. */
public final class FakeSystem {
    private final Path root;

    /** With files below {@code root}. */
    public FakeSystem(Path root) {
        this.root = root;
        file("/proc/sys/kernel/hostname", "here");
        file("/etc/machine-id", "0123");
        file("/proc/sys/kernel/random/boot_id", "boot 1");
        file("/etc/os-release", "PRETTY_NAME=\"Linux 1\"");
        file("/proc/cpuinfo", core(0) + core(1));
        file("/proc/self/status", "Cpus_allowed_list:\t0-1\nMems_allowed_list:\t0\n");
        file("/proc/meminfo", "MemTotal: 4194304 kB\nMemAvailable: 2000000 kB\n");
        file("/proc/self/mountinfo", "30 23 0:26 / /cg rw - cgroup2 cgroup2 rw\n");
        file("/proc/self/cgroup", "0::/\n");
        file("/cg/cpu.max", "200000 100000\n");
        file("/cg/memory.max", "2147483648\n");
        file("/sys/devices/system/cpu/cpu0/cache/index3/size", "1M");
        file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance");
        file("/sys/class/power_supply/AC/type", "Mains");
        file("/sys/class/power_supply/AC/online", "1");
    }

    public SystemFiles files() {
        return new SystemFiles(root);
    }

    public FakeSystem file(String path, String text) {
        try {
            Path file = root.resolve(path.substring(1));
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String core(int number) {
        return "processor\t: %d\nmodel name\t: A\nmicrocode\t: 0x1\ncore id\t: %d\nflags\t: avx2\n\n"
                .formatted(number, number);
    }
}

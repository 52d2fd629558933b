package dev.medley.profile.machine;

import dev.medley.base.text.Units;
import dev.medley.profile.machine.MachineProfile.Platform;
import dev.medley.profile.machine.MachineProfile.Processor;
import dev.medley.profile.system.DeviceFiles;
import dev.medley.profile.system.PowerFiles;
import dev.medley.profile.system.SystemFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a machine that make an old measurement wrong when they change. Read from small
 * files, without starting a program; none of them changes by itself from one moment to the next.
 * They stay in the user's folder: a machine's id is private.
 *
 * @param host name of the machine
 * @param machineId of the system's installation; empty where there is none
 * @param start of the kernel; empty on bare metal, where it changes nothing: a virtual machine that
 *     is started anew may stand on another host
 * @param processor with its quota and instructions
 * @param cores that this process may run on, {@code 0-3,8}
 * @param memoryNodes whose memory it may have
 * @param microcode of the processor
 * @param power governor, boost, mains, as far as there is any
 * @param memoryGib of the machine; a balloon changes the bytes while it runs
 * @param memoryLimitBytes of the cgroup; null for no limit
 * @param devices of GPUs that are seen, and their driver
 * @param platform operating system, kernel, JVM, virtualisation
 */
record MachineIdentity(
        String host,
        String machineId,
        String start,
        Processor processor,
        String cores,
        String memoryNodes,
        String microcode,
        String power,
        long memoryGib,
        @Nullable Long memoryLimitBytes,
        List<String> devices,
        Platform platform) {
    MachineIdentity {
        Objects.requireNonNull(host);
        Objects.requireNonNull(processor);
        Objects.requireNonNull(platform);
        devices = List.copyOf(devices);
    }

    /** Of the machine that is seen, by files of its system. */
    static MachineIdentity of(SystemFiles files, MachineFacts seen) {
        String status = "/proc/self/status";
        boolean isVirtual = seen.platform().virtualisation().contains("virtual machine");
        return new MachineIdentity(
                seen.host(),
                files.textOrEmpty("/etc/machine-id"),
                isVirtual ? files.textOrEmpty("/proc/sys/kernel/random/boot_id") : "",
                seen.processor(),
                files.textAfter(status, "Cpus_allowed_list"),
                files.textAfter(status, "Mems_allowed_list"),
                files.textAfter("/proc/cpuinfo", "microcode"),
                PowerFiles.said(files),
                Math.round(seen.memory().totalBytes() / 0x1p30),
                seen.memory().limitBytes(),
                DeviceFiles.seen(files),
                seen.platform());
    }

    /** Whether there is a device of which NVIDIA's driver has to know. */
    boolean hasNvidia() {
        return devices.stream().anyMatch(DeviceFiles::isNvidia);
    }

    /** The changes since then, the likeliest first, each a clause; empty exactly if none. */
    List<String> changesSince(MachineIdentity then) {
        Map<String, String> before = then.words();
        List<String> changes = new ArrayList<>();
        words().forEach(
                        (name, now) -> {
                            if (!now.equals(before.get(name))) {
                                changes.add(
                                        "the %s was %s and is %s now"
                                                .formatted(name, before.get(name), now));
                            }
                        });
        if (!machineId.equals(then.machineId)) {
            changes.add("the machine has another id");
        }
        if (!start.equals(then.start)) {
            changes.add("the virtual machine was started anew, perhaps on another host");
        }
        return changes;
    }

    private Map<String, String> words() {
        Double quota = processor.quotaCores();
        Map<String, String> words = new LinkedHashMap<>();
        words.put(
                "quota", quota == null ? "none" : String.format(Locale.ROOT, "%.2f cores", quota));
        words.put("set of cores to use", cores + " (" + processor.allowedCores() + ")");
        words.put(
                "memory limit",
                memoryLimitBytes == null ? "none" : Units.bytes((double) memoryLimitBytes));
        words.put("set of GPUs", devices.isEmpty() ? "none" : String.join(", ", devices));
        words.put("memory", memoryGib + " GiB");
        words.put("power setting", power);
        words.put("processor", processor.model());
        words.put(
                "number of cores",
                processor.logicalCores() + " (" + processor.physicalCores() + " physical)");
        words.put("kernel", platform.kernel());
        words.put("JVM", platform.jvm());
        words.put("system", platform.system() + ", " + platform.architecture());
        words.put("microcode", microcode);
        words.put("set of instructions", String.join(" ", processor.instructions()));
        words.put("cache", Units.bytes((double) processor.lastCacheBytes()));
        words.put("set of memory nodes", memoryNodes);
        words.put("virtualisation", platform.virtualisation());
        words.put("host", host);
        return words;
    }
}

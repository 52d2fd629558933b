package dev.medley.profile.machine;

import dev.medley.profile.machine.MachineProfile.Processor;
import dev.medley.profile.system.Cgroup;
import dev.medley.profile.system.SystemFiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;

/** Finds cores and instructions: from /proc where there is one, which is quick; else from OSHI. */
final class ProcessorProbe {
    /** What matters to kernels, in the words of Linux on x86 and ARM. */
    private static final List<String> INSTRUCTIONS =
            List.of(
                    "sse4_2",
                    "avx",
                    "avx2",
                    "fma",
                    "f16c",
                    "avx_vnni",
                    "avx512f",
                    "avx512bw",
                    "avx512vl",
                    "avx512_vnni",
                    "avx512_bf16",
                    "avx512_fp16",
                    "amx_tile",
                    "amx_bf16",
                    "amx_int8",
                    "amx_fp16",
                    "asimd",
                    "asimdhp",
                    "asimddp",
                    "sve",
                    "sve2",
                    "sme",
                    "i8mm",
                    "bf16");

    private final SystemFiles files;
    private final Cgroup cgroup;

    ProcessorProbe(SystemFiles files, Cgroup cgroup) {
        this.files = files;
        this.cgroup = cgroup;
    }

    Processor probe() {
        List<String> lines = files.lines("/proc/cpuinfo");
        return lines.isEmpty() ? fromOshi() : fromProc(lines);
    }

    /** Cores that a list like {@code 0-3,8,10-11} names. */
    static int count(String list) {
        int count = 0;
        for (String part : list.split(",", -1)) {
            String[] ends = part.strip().split("-", -1);
            count +=
                    ends.length == 2
                            ? Integer.parseInt(ends[1]) - Integer.parseInt(ends[0]) + 1
                            : 1;
        }
        return count;
    }

    private Processor fromProc(List<String> lines) {
        int logical = 0;
        String model = "";
        String package_ = "0";
        Set<String> cores = new HashSet<>();
        List<String> flags = List.of();
        for (String line : lines) {
            String[] pair = line.split("\\s*:\\s*", 2);
            String value = pair.length < 2 ? "" : pair[1];
            switch (pair[0].strip()) {
                case "processor" -> logical++;
                case "model name", "Model" -> model = value;
                case "physical id" -> package_ = value;
                case "core id" -> cores.add(package_ + "/" + value);
                case "flags", "Features" -> flags = List.of(value.split("\\s+", -1));
                default -> {}
            }
        }
        return new Processor(
                model.isEmpty() ? System.getProperty("os.arch") : model,
                logical,
                cores.size(),
                allowed(logical),
                cgroup.quotaCores(),
                lastCacheBytes(),
                known(flags));
    }

    private Processor fromOshi() {
        CentralProcessor processor = new SystemInfo().getHardware().getProcessor();
        Set<String> flags = new HashSet<>();
        for (String line : processor.getFeatureFlags()) {
            flags.addAll(
                    Arrays.asList(line.toLowerCase(java.util.Locale.ROOT).split("[\\s:,]+", -1)));
        }
        return new Processor(
                processor.getProcessorIdentifier().getName(),
                processor.getLogicalProcessorCount(),
                processor.getPhysicalProcessorCount(),
                Runtime.getRuntime().availableProcessors(),
                null,
                0,
                known(new ArrayList<>(flags)));
    }

    private int allowed(int logical) {
        for (String line : files.lines("/proc/self/status")) {
            if (line.startsWith("Cpus_allowed_list:")) {
                return count(line.substring(line.indexOf(':') + 1));
            }
        }
        return logical;
    }

    /** The largest cache of the first core. */
    private long lastCacheBytes() {
        long largest = 0;
        for (int i = 0; i < 8; i++) {
            String size = files.text("/sys/devices/system/cpu/cpu0/cache/index" + i + "/size");
            if (size != null && size.matches("\\d+[KM]")) {
                long count = Long.parseLong(size.substring(0, size.length() - 1));
                largest = Math.max(largest, count << (size.endsWith("K") ? 10 : 20));
            }
        }
        return largest;
    }

    private static List<String> known(List<String> flags) {
        return INSTRUCTIONS.stream().filter(flags::contains).toList();
    }
}

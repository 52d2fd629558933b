package dev.medley.profile.system;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the control groups that limit this process, of version 1 and 2. The tightest limit between
 * its own group and the top that it can see holds, since a group is bound by its parents too.
 *
 * <p>The JVM reads them as well, but rounds processors up and says nothing about kills.
 */
public final class Cgroup {
    /** Version 1 says "no limit" with a huge number. */
    private static final long NO_LIMIT_BYTES = 1L << 60;

    private final SystemFiles files;
    private final List<String> cpu;
    private final List<String> memory;

    private Cgroup(SystemFiles files, List<String> cpu, List<String> memory) {
        this.files = files;
        this.cpu = cpu;
        this.memory = memory;
    }

    /** The groups of this process. */
    public static Cgroup of(SystemFiles files) {
        return new Cgroup(files, folders(files, "cpu"), folders(files, "memory"));
    }

    /** One memory group, by its folder. */
    static Cgroup ofMemory(SystemFiles files, String folder) {
        return new Cgroup(files, List.of(), List.of(folder));
    }

    /** Processor time granted, in cores; null for no limit. */
    @Nullable
    public Double quotaCores() {
        Double least = null;
        for (String folder : cpu) {
            Double quota = quotaCores(folder);
            if (quota != null && (least == null || quota < least)) {
                least = quota;
            }
        }
        return least;
    }

    /** Memory granted; null for no limit. */
    @Nullable
    public Long memoryLimitBytes() {
        Long least = null;
        for (String folder : memory) {
            Long limit = files.number(folder + "/memory.max");
            if (limit == null) {
                limit = files.number(folder + "/memory.limit_in_bytes");
            }
            if (limit != null && limit < NO_LIMIT_BYTES && (least == null || limit < least)) {
                least = limit;
            }
        }
        return least;
    }

    /**
     * Processes of this process's own memory group that the kernel killed so far; null if the
     * kernel does not count them.
     */
    @Nullable Long outOfMemoryKills() {
        if (memory.isEmpty()) {
            return null;
        }
        Long kills = files.numberAfter(memory.get(0) + "/memory.events", "oom_kill");
        return kills != null
                ? kills
                : files.numberAfter(memory.get(0) + "/memory.oom_control", "oom_kill");
    }

    private @Nullable Double quotaCores(String folder) {
        String max = files.text(folder + "/cpu.max");
        if (max != null) {
            String[] parts = max.split("\\s+", -1);
            return parts.length < 2 || parts[0].equals("max") ? null : cores(parts[0], parts[1]);
        }
        String quota = files.text(folder + "/cpu.cfs_quota_us");
        String period = files.text(folder + "/cpu.cfs_period_us");
        return quota == null || period == null || quota.startsWith("-")
                ? null
                : cores(quota, period);
    }

    private static @Nullable Double cores(String quotaMicros, String periodMicros) {
        try {
            double period = Double.parseDouble(periodMicros);
            return period > 0 ? Double.parseDouble(quotaMicros) / period : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The folders of this process's group for a controller, and of its parents, inmost first. */
    private static List<String> folders(SystemFiles files, String controller) {
        for (String line : files.lines("/proc/self/cgroup")) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller)) {
                Mount mount = mount(files, controller);
                return mount == null ? List.of() : upwards(files, mount, parts[2]);
            }
        }
        for (String line : files.lines("/proc/self/cgroup")) {
            Mount mount = mount(files, null);
            if (line.startsWith("0::") && mount != null) {
                return upwards(files, mount, line.substring(3));
            }
        }
        return List.of();
    }

    /** Where a hierarchy is mounted, and which of its groups is at the top there. */
    private record Mount(String top, String folder) {}

    /** The mount of a version 1 controller, or for null that of version 2. */
    private static @Nullable Mount mount(SystemFiles files, @Nullable String controller) {
        for (String line : files.lines("/proc/self/mountinfo")) {
            int dash = line.indexOf(" - ");
            if (dash < 0) {
                continue;
            }
            String[] left = line.substring(0, dash).split(" ", -1);
            String[] right = line.substring(dash + 3).split(" ", -1);
            boolean isWanted =
                    controller == null
                            ? right[0].equals("cgroup2")
                            : right[0].equals("cgroup")
                                    && right.length >= 3
                                    && List.of(right[2].split(",", -1)).contains(controller);
            if (isWanted && left.length >= 5) {
                return new Mount(left[3], left[4]);
            }
        }
        return null;
    }

    private static List<String> upwards(SystemFiles files, Mount mount, String group) {
        String below =
                !mount.top().equals("/") && group.startsWith(mount.top())
                        ? group.substring(mount.top().length())
                        : group;
        List<String> folders = new ArrayList<>();
        String path = below.equals("/") ? "" : below;
        while (true) {
            if (files.exist(mount.folder() + path)) {
                folders.add(mount.folder() + path);
            }
            if (path.isEmpty()) {
                return folders;
            }
            path = path.substring(0, Math.max(0, path.lastIndexOf('/')));
        }
    }
}

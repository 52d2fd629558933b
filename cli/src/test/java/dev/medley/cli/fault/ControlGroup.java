package dev.medley.cli.fault;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A control group, whose processes together may use so much of the machine.
 *
 * @param limit the file that says how much
 */
record ControlGroup(Path folder, Path limit) implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    /** So much memory; has the test skipped where making a group is not allowed. */
    static ControlGroup ofMiB(long mebibytes) {
        String limit = isVersion1("memory") ? "memory.limit_in_bytes" : "memory.max";
        return of("memory", List.of(new Setting(limit, Long.toString(mebibytes << 20))));
    }

    /** So much of a core in every period; skipped likewise. */
    static ControlGroup ofCpu(int quotaUs, int periodUs) {
        return of(
                "cpu",
                isVersion1("cpu")
                        ? List.of(
                                new Setting("cpu.cfs_period_us", Integer.toString(periodUs)),
                                new Setting("cpu.cfs_quota_us", Integer.toString(quotaUs)))
                        : List.of(new Setting("cpu.max", quotaUs + " " + periodUs)));
    }

    private static ControlGroup of(String controller, List<Setting> settings) {
        String name = "medley-fault-%s-%d".formatted(controller, ProcessHandle.current().pid());
        Path folder =
                isVersion1(controller)
                        ? ROOT.resolve(controller).resolve(name)
                        : ROOT.resolve(name);
        try {
            Files.createDirectory(folder);
            for (Setting setting : settings) {
                Files.writeString(folder.resolve(setting.file()), setting.value());
            }
        } catch (IOException e) {
            folder.toFile().delete();
            assumeTrue(false, "skipped: not allowed to make a " + controller + " cgroup: " + e);
        }
        return new ControlGroup(folder, folder.resolve(settings.get(settings.size() - 1).file()));
    }

    private static boolean isVersion1(String controller) {
        return Files.isDirectory(ROOT.resolve(controller));
    }

    private record Setting(String file, String value) {}

    /** What to put before a command, so that it and its children belong to the group. */
    List<String> command() {
        return List.of("sh", "-c", "echo $$ > " + members() + " && exec \"$@\"", "sh");
    }

    /** A process that runs belongs to the group from now on. */
    void take(ProcessHandle process) throws IOException {
        Files.writeString(members(), Long.toString(process.pid()));
    }

    /** From now on there is no limit. */
    void lift() throws IOException {
        boolean isVersion1 = !limit.getFileName().toString().endsWith(".max");
        Files.writeString(limit, isVersion1 ? "-1" : "max");
    }

    /** From now on it is so much of a core in every period, of a group that has a quota. */
    void grant(int quotaUs) throws IOException {
        boolean isVersion1 = !limit.getFileName().toString().endsWith(".max");
        String period =
                isVersion1 ? "" : " " + Files.readString(limit).trim().replaceAll("^.* ", "");
        Files.writeString(limit, quotaUs + period);
    }

    private Path members() {
        return folder.resolve("cgroup.procs");
    }

    /** The group goes when its last process has; without a limit that ends sooner. */
    @Override
    public void close() throws IOException {
        try {
            lift();
            for (ProcessHandle process : processes()) {
                process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
            }
        } finally {
            Files.deleteIfExists(folder);
        }
    }

    private List<ProcessHandle> processes() throws IOException {
        return Files.readAllLines(members()).stream()
                .map(pid -> ProcessHandle.of(Long.parseLong(pid)))
                .flatMap(Optional::stream)
                .toList();
    }
}

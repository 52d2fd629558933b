package dev.medley.profile.system;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a process that ended had run out of memory, from its exit status and the kernel's
 * count of kills. A watch is made before the process starts and asked after it ended; kills of
 * other processes in the same control group in between count too, which the sentence admits.
 */
public final class OutOfMemory {
    /** What a JVM with {@code -XX:+ExitOnOutOfMemoryError} ends with. */
    public static final int JVM_EXIT_STATUS = 3;

    /** A shell and the JVM say "ended by signal n" as 128 + n; SIGKILL is 9. */
    public static final int KILLED_EXIT_STATUS = 137;

    /** Why a process ended. */
    public enum Cause {
        /** The kernel killed it for want of memory. */
        KERNEL,
        /** Its own JVM ran out of heap or direct memory. */
        JVM,
        /** It was killed; whether by the kernel, nobody counts. */
        PERHAPS,
        /** Something else. */
        NO
    }

    /**
     * Why a process ended.
     *
     * @param cause in one word
     * @param message one sentence for the user, with what to do where memory was the cause
     */
    public record Verdict(Cause cause, String message) {}

    private static final String REMEDY =
            "use less memory per worker: raise train.accumulate, lower train.batch, or start fewer"
                    + " workers";

    private final SystemFiles files;
    private final Cgroup cgroup;
    private final @Nullable Long killsBefore;
    private final @Nullable Long machineKillsBefore;

    private OutOfMemory(SystemFiles files, Cgroup cgroup) {
        this.files = files;
        this.cgroup = cgroup;
        this.killsBefore = cgroup.outOfMemoryKills();
        this.machineKillsBefore = machineKills();
    }

    /** From now on, for processes that this one starts. */
    public static OutOfMemory watch() {
        return watch(SystemFiles.REAL, Cgroup.of(SystemFiles.REAL));
    }

    static OutOfMemory watch(SystemFiles files, Cgroup cgroup) {
        return new OutOfMemory(files, cgroup);
    }

    /**
     * Why a process ended with {@code exitStatus}.
     *
     * @param who the process as the user knows it, {@code worker 2}
     */
    public Verdict explain(String who, int exitStatus) {
        if (exitStatus == JVM_EXIT_STATUS) {
            return verdict(Cause.JVM, "%s ran out of Java memory (exit status 3); %s", who, REMEDY);
        }
        if (exitStatus != KILLED_EXIT_STATUS) {
            return verdict(Cause.NO, "%s ended with status %d", who, exitStatus);
        }
        Long kills = since(killsBefore, cgroup.outOfMemoryKills());
        Long limitBytes = cgroup.memoryLimitBytes();
        if (kills != null && kills > 0) {
            return verdict(
                    Cause.KERNEL,
                    "the kernel killed %s because memory ran out%s (exit status 137, %d such kill%s"
                            + " counted); %s",
                    who,
                    limitBytes == null ? "" : " (limit " + (limitBytes >> 20) + " MiB)",
                    kills,
                    kills == 1 ? "" : "s",
                    REMEDY);
        }
        Long machineKills = since(machineKillsBefore, machineKills());
        if (machineKills != null && machineKills > 0) {
            return verdict(
                    Cause.KERNEL,
                    "%s was killed (exit status 137) while the kernel killed for want of memory on"
                            + " this machine (%d counted), so probably for that; %s",
                    who,
                    machineKills,
                    REMEDY);
        }
        if (kills != null || machineKills != null) {
            return verdict(
                    Cause.NO,
                    "%s was killed from outside (exit status 137); the kernel counts no kill for"
                            + " want of memory",
                    who);
        }
        return verdict(
                Cause.PERHAPS,
                "%s was killed (exit status 137), perhaps by the kernel for want of memory: this"
                        + " system does not count such kills; if so, %s",
                who,
                REMEDY);
    }

    private @Nullable Long machineKills() {
        return files.numberAfter("/proc/vmstat", "oom_kill");
    }

    private static @Nullable Long since(@Nullable Long before, @Nullable Long now) {
        return before == null || now == null ? null : Long.valueOf(now - before);
    }

    private static Verdict verdict(Cause cause, String format, Object... values) {
        return new Verdict(cause, String.format(Locale.ROOT, format, values));
    }
}

package dev.medley.profile.machine;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.profile.KeptFolder;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Keeps how many samples at once had room where memory ran out in earlier runs, in a folder of the
 * user ({@link KeptFolder}). There is a small file for each type of machine and kind of training.
 * One of another version, or older than {@value #DAYS} days, counts as none: what took the memory
 * may be gone.
 *
 * <p>Thread: any.
 */
public final class MemoryCapCache {
    private static final int FORMAT = 1;
    private static final int DAYS = 7;

    private final KeptFolder kept;
    private final Clock clock;

    /**
     * A file.
     *
     * @param format of this file
     * @param machine type of machine
     * @param training what was trained, in the words of whoever kept it
     * @param mostSamples at once
     * @param wallMillis when memory ran out
     */
    record Kept(int format, String machine, String training, int mostSamples, long wallMillis) {
        Kept {
            Objects.requireNonNull(machine);
            Objects.requireNonNull(training);
            if (mostSamples < 1) {
                throw new IllegalArgumentException(mostSamples + " samples at once");
            }
        }
    }

    /** Kept in {@code folder}, which need not be there. */
    public MemoryCapCache(Path folder, Clock clock) {
        this.kept = new KeptFolder(folder, "memory caps");
        this.clock = clock;
    }

    /** The most samples at once on such a machine in such a training; empty if nothing is known. */
    public OptionalInt find(String machine, String training) {
        Kept found =
                kept.find(
                        machine,
                        training,
                        file -> {
                            Kept in = Json.parse(file, Kept.class);
                            boolean isMeant =
                                    in.format() == FORMAT
                                            && in.machine().equals(machine)
                                            && in.training().equals(training);
                            long ageMillis = clock.wallMillis() - in.wallMillis();
                            return isMeant && ageMillis <= TimeUnit.DAYS.toMillis(DAYS) ? in : null;
                        });
        return found == null ? OptionalInt.empty() : OptionalInt.of(found.mostSamples());
    }

    /** Keeps what was found, if it can be written; else the log says why. */
    public void keep(String machine, String training, int mostSamples) {
        Kept found = new Kept(FORMAT, machine, training, mostSamples, clock.wallMillis());
        kept.keep(machine, training, Json.pretty(found));
    }
}

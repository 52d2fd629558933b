package dev.medley.profile.speed;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.profile.KeptFolder;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps step times of earlier runs in a folder of the user ({@link KeptFolder}). There is a small
 * file for each type of machine and kind of training. One of another version, or older than {@value
 * #DAYS} days, counts as none.
 *
 * <p>Thread: any.
 */
public final class StepTimeCache {
    private static final int FORMAT = 1;
    private static final int DAYS = 30;

    private final KeptFolder kept;
    private final Clock clock;

    /**
     * A file.
     *
     * @param format of this file
     * @param machine type of machine
     * @param training what was trained, in the words of whoever kept it
     */
    record Kept(int format, String machine, String training, StepTimeGuess guess) {
        Kept {
            Objects.requireNonNull(machine);
            Objects.requireNonNull(training);
            Objects.requireNonNull(guess);
        }
    }

    /** Kept in {@code folder}, which need not be there. */
    public StepTimeCache(Path folder, Clock clock) {
        this.kept = new KeptFolder(folder, "step times");
        this.clock = clock;
    }

    /** What is known of such machines and such a training; null for nothing. */
    public @Nullable StepTimeGuess find(String machine, String training) {
        return kept.find(
                machine,
                training,
                file -> {
                    Kept found = Json.parse(file, Kept.class);
                    boolean isMeant =
                            found.format() == FORMAT
                                    && found.machine().equals(machine)
                                    && found.training().equals(training);
                    long ageMillis = clock.wallMillis() - found.guess().wallMillis();
                    return isMeant && ageMillis <= TimeUnit.DAYS.toMillis(DAYS)
                            ? found.guess()
                            : null;
                });
    }

    /** Keeps what was learnt, if it can be written; else the log says why. */
    public void keep(String machine, String training, StepTimeGuess guess) {
        kept.keep(machine, training, Json.pretty(new Kept(FORMAT, machine, training, guess)));
    }
}

package dev.medley.loop.spec;

import dev.medley.base.ConfigException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Says how a model goes on learning between the runs of a loop that stays.
 *
 * @param delay within which a row is learnt once it and its label are known
 * @param publish how often the running model becomes a version, which is judged
 * @param rows after how many learnt rows it becomes one before that time; null for never
 */
public record ContinuousSpec(Duration delay, Duration publish, @Nullable Long rows) {
    public ContinuousSpec {
        ConfigException.check(
                delay.toMillis() >= 1, "continuous.delay: at least 1ms, as 30s or 1m");
        ConfigException.check(
                publish.compareTo(delay) >= 0,
                "continuous.publish: %s is shorter than continuous.delay, %s: nothing new would be"
                        + " learnt from one version to the next; write at least %s",
                words(publish),
                words(delay),
                words(delay));
        ConfigException.check(
                rows == null || rows >= 1, "continuous.rows: at least 1, or leave it out");
    }

    /** A time as files write it. */
    static String words(Duration time) {
        long ms = time.toMillis();
        if (ms % 1000 != 0) {
            return ms + "ms";
        }
        long seconds = ms / 1000;
        if (seconds % 60 != 0) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        return minutes % 60 != 0 ? minutes + "m" : minutes / 60 + "h";
    }

    /** How long it waits from one look to the next, so that learning has as long. */
    public long lookEveryMs() {
        return Math.max(1, delay.toMillis() / 2);
    }
}

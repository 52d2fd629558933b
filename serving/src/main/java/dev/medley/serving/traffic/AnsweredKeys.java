package dev.medley.serving.traffic;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which version answered a request or a key, for those who report what came of it. The
 * oldest ones are forgotten.
 *
 * <p>Thread: any.
 */
final class AnsweredKeys {
    static final int MOST = 100_000;

    private final Map<String, Answer> answers =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Answer> eldest) {
                    return size() > MOST;
                }
            };

    /** By which version, and whether what came of it was reported. */
    private static final class Answer {
        private final int version;
        private boolean isReported;

        private Answer(int version) {
            this.version = version;
        }
    }

    synchronized void put(String key, int version) {
        answers.put(key, new Answer(version));
    }

    /** The version that answered; null where none is known. */
    synchronized @Nullable Integer version(String key) {
        Answer found = answers.get(key);
        return found == null ? null : found.version;
    }

    /** Whether it is reported for the first time. */
    synchronized boolean isFirstReport(String key) {
        Answer found = answers.get(key);
        if (found == null || found.isReported) {
            return found == null;
        }
        found.isReported = true;
        return true;
    }
}

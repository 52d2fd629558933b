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

    /** By which version, for whom, and whether what came of it was reported. */
    private static final class Answer {
        private final int version;
        private final String key;
        private boolean isReported;

        private Answer(int version, String key) {
            this.version = version;
            this.key = key;
        }
    }

    /**
     * Remembers an answer.
     *
     * @param name by which it is reported on
     * @param key of the caller who got it
     */
    synchronized void put(String name, int version, String key) {
        answers.put(name, new Answer(version, key));
    }

    /** The key of the caller who got an answer; the name itself where that is not known. */
    synchronized String key(String name) {
        Answer found = answers.get(name);
        return found == null ? name : found.key;
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

package dev.medley.serving.follow;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.serving.host.ModelName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Remembers versions that could not be loaded: each is tried again after a while, and said once.
 *
 * <p>Thread: any.
 */
public final class FailedLoads {
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(30);

    private final Clock clock;
    private final Map<ModelName, Long> triedNs = new HashMap<>();
    private final Set<String> told = new HashSet<>();

    /** Before any. */
    public FailedLoads(Clock clock) {
        this.clock = clock;
    }

    /** Whether a version is to be loaded now; it counts as tried then. */
    synchronized boolean isDue(ModelName name) {
        long nowNs = clock.nowNs();
        Long lastNs = triedNs.get(name);
        if (lastNs != null && nowNs - lastNs < AGAIN_NS) {
            return false;
        }
        triedNs.put(name, nowNs);
        return true;
    }

    /** A version that was loaded after all. */
    synchronized void loaded(ModelName name) {
        triedNs.remove(name);
    }

    /** Whether this was not said before. */
    synchronized boolean isNew(String trouble) {
        return told.add(trouble);
    }

    /** What went wrong, for people. */
    static String words(Throwable e) {
        return e instanceof ConfigException ? String.valueOf(e.getMessage()) : e.toString();
    }
}

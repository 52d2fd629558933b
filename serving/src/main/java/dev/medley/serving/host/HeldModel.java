package dev.medley.serving.host;

import dev.medley.base.time.Clock;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.traffic.VersionCount;
import dev.medley.serving.traffic.VersionTraffic;
import org.jspecify.annotations.Nullable;

/**
 * Holds a model for a request: it stays until it is let go.
 *
 * <p>Thread: any.
 */
public final class HeldModel implements AutoCloseable {
    private final ServedModel model;
    private final @Nullable VersionTraffic traffic;
    private final VersionCount.@Nullable Request counted;
    private boolean isReleased;

    HeldModel(ServedModel model) {
        this(model, null, null);
    }

    HeldModel(
            ServedModel model,
            @Nullable VersionTraffic traffic,
            VersionCount.@Nullable Request counted) {
        this.model = model;
        this.traffic = traffic;
        this.counted = counted;
    }

    /** By which the request was given to this version; null where it was not dealt out. */
    public @Nullable VersionTraffic traffic() {
        return traffic;
    }

    /** Remembers which version has answered, for who reports what came of it. */
    public void isFor(String id, String key) {
        if (traffic != null) {
            traffic.answered(id, key, Integer.parseInt(model.name().version()));
        }
    }

    /** The request was answered. */
    public void answered(int rows, long tookNs, Computed found, Clock clock) {
        model.requests().good(rows, tookNs, found, clock.wallMillis());
        if (counted != null) {
            counted.answered(clock.nowNs());
        }
    }

    /** It failed. */
    public void failed(long tookNs) {
        model.requests().failed(tookNs);
        if (counted != null) {
            counted.failed();
        }
    }

    /** The model. */
    public ServedModel model() {
        return model;
    }

    @Override
    public synchronized void close() {
        if (!isReleased) {
            isReleased = true;
            model.release();
        }
    }
}

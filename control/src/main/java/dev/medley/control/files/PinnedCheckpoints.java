package dev.medley.control.files;

import dev.medley.base.ConfigException;
import dev.medley.store.checkpoint.Checkpoint;
import dev.medley.store.checkpoint.CheckpointStore;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the newest whole checkpoint of a run to each worker that is started. A checkpoint that a
 * machine fetches is kept until that has it, however many newer ones come meanwhile.
 *
 * <p>Thread: any. The disk is read when a checkpoint comes; who starts a worker waits for none of
 * that.
 */
public final class PinnedCheckpoints {
    private static final Logger LOG = LoggerFactory.getLogger(PinnedCheckpoints.class);

    private final Path folder;
    private final int keep;

    /** Held while the disk is read: one after the other. */
    private final Object reading = new Object();

    /** Guarded by this. */
    private @Nullable Shipment newest;

    /** What machines fetch, by launch. Guarded by this. */
    private final Map<Integer, Path> pinned = new HashMap<>();

    /**
     * Of what is in {@code folder}; every byte of the newest one there is read now.
     *
     * @param keep so many are kept, and more only while they are fetched
     */
    public PinnedCheckpoints(Path folder, int keep) {
        this.folder = folder.toAbsolutePath().normalize();
        this.keep = keep;
        this.newest =
                CheckpointStore.latest(this.folder)
                        .found()
                        .map(Checkpoint::folder)
                        .map(Shipment::ofContent)
                        .orElse(null);
    }

    /**
     * Something is whole in its place. A checkpoint that is not older than the last is given from
     * now on, and old ones go.
     */
    public void kept(Path place) {
        Path brought = place.toAbsolutePath().normalize();
        if (!folder.equals(brought.getParent())) {
            return;
        }
        synchronized (reading) {
            if (step(brought) >= newestStep()) {
                read(brought);
            }
            CheckpointStore.keepNewest(folder, keep, needed());
        }
    }

    /** It was compared when it came, and its arrays are not mapped: that would keep their room. */
    private void read(Path brought) {
        try {
            offer(Shipment.ofContent(brought));
        } catch (ConfigException | UncheckedIOException e) {
            LOG.warn("{} is not given to who is started: {}", brought, e.getMessage());
        }
    }

    private synchronized void offer(Shipment found) {
        newest = found;
    }

    private synchronized long newestStep() {
        return newest == null ? -1 : step(Path.of(newest.root()));
    }

    private static long step(Path checkpoint) {
        String name = checkpoint.getFileName().toString();
        return Long.parseLong(name.substring(name.indexOf('-') + 1));
    }

    private synchronized Set<Path> needed() {
        Set<Path> needed = new HashSet<>(pinned.values());
        if (newest != null) {
            needed.add(Path.of(newest.root()));
        }
        return needed;
    }

    /**
     * What a worker that is started now begins from; null where nothing is there yet. It stays
     * until {@link #release}.
     */
    public synchronized @Nullable Shipment pin(int launch) {
        if (newest != null) {
            pinned.put(launch, Path.of(newest.root()));
        }
        return newest;
    }

    /** The machine of that launch has what it was given, or does not come for it any more. */
    public synchronized void release(int launch) {
        pinned.remove(launch);
    }
}

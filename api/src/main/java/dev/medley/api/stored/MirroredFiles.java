package dev.medley.api.stored;

import dev.medley.base.time.Clock;
import dev.medley.store.file.AtomicFolder;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Knows which files of a run's folder are in the store as they are here, and brings the others. Of
 * a checkpoint and of a model what describes it comes last and goes first, so that one that has it
 * is whole; the record comes after all checkpoints, so that it knows at least as much as they do.
 * What has gone here goes there when what came after it is there: a whole checkpoint is always
 * among them. A checkpoint that is too old before it has been brought is held until it has.
 *
 * <p>Thread: one at a time.
 */
final class MirroredFiles {
    /** A file that grows is brought again after this, and so much later for each byte of it. */
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long NS_A_BYTE = 2_000;

    /** Holds what is being brought by links. */
    private static final String HELD = ".mirrored";

    /** As no file is. */
    private static final State UNKNOWN = new State(-1, -1);

    private static final Comparator<String> ORDER =
            Comparator.comparing((String name) -> name.indexOf('/') < 0)
                    .thenComparing(name -> name.endsWith(".json"))
                    .thenComparing(Comparator.naturalOrder());

    private final Path folder;
    private final String name;
    private final Clock clock;
    private final Map<String, Kept> kept = new HashMap<>();
    private long lastGoneNs;

    /** What a file is, or was when it was brought. */
    record State(long bytes, long modifiedNs) {}

    /** A file in the store. */
    private record Kept(State state, long atNs) {}

    MirroredFiles(Path folder, String name, Clock clock) {
        this.folder = folder;
        this.name = name;
        this.clock = clock;
        this.lastGoneNs = clock.awakeNs();
    }

    /**
     * What an earlier process left in the store: it is brought anew where it is here, and goes
     * where it is here no more.
     */
    void found(List<StoredObject> objects) {
        for (StoredObject object : objects) {
            String below = object.name().substring(name.length() + 1);
            if (!isHidden(below)) {
                kept.put(below, new Kept(UNKNOWN, clock.awakeNs() - PAUSE_NS));
            }
        }
    }

    private static boolean isHidden(String below) {
        return ("/" + below).contains("/.");
    }

    /**
     * What is to be done.
     *
     * @param gone files that are in the store and not here any more
     * @param changed files that are here as they are not in the store
     */
    record Due(List<String> gone, Map<String, State> changed) {
        boolean isEmpty() {
            return gone.isEmpty() && changed.isEmpty();
        }
    }

    /**
     * Looks at the folder.
     *
     * @param isAll whether what was brought a moment ago counts, too
     */
    Due due(boolean isAll) throws IOException {
        Map<String, State> here = here();
        List<String> gone = new ArrayList<>(kept.keySet());
        gone.removeAll(here.keySet());
        gone.sort(ORDER.reversed());
        here.entrySet().removeIf(file -> !isDue(file.getKey(), file.getValue(), isAll));
        return new Due(gone, here);
    }

    /** Brings what has changed, then takes away what is gone. */
    void pass(ObjectStore store, Due due) throws IOException {
        boolean isAllThere = true;
        try {
            Map<String, Path> held = hold(due.changed());
            for (Map.Entry<String, State> file : due.changed().entrySet()) {
                Path from = held.get(file.getKey());
                isAllThere &=
                        from != null && isBrought(store, file.getKey(), file.getValue(), from);
            }
        } finally {
            AtomicFolder.delete(folder.resolve(HELD));
        }
        for (String file : isAllThere ? due.gone() : List.<String>of()) {
            store.delete(name + "/" + file);
            kept.remove(file);
        }
    }

    /** When the store last took something, or this began, by the clock's awake time. */
    long lastGoneNs() {
        return lastGoneNs;
    }

    /** Paths under which files stay while they are brought; those that have gone have none. */
    private Map<String, Path> hold(Map<String, State> files) throws IOException {
        Map<String, Path> held = new HashMap<>();
        for (String file : files.keySet()) {
            Path link = folder.resolve(HELD).resolve(file);
            try {
                Files.createDirectories(link.getParent());
                held.put(file, Files.createLink(link, folder.resolve(file)));
            } catch (NoSuchFileException e) {
                continue;
            } catch (UnsupportedOperationException | FileSystemException e) {
                held.put(file, folder.resolve(file)); // No links here: it has to last by itself.
            }
        }
        return held;
    }

    private boolean isDue(String file, State now, boolean isAll) {
        Kept before = kept.get(file);
        if (before == null || before.state.equals(now)) {
            return before == null;
        }
        long pauseNs = PAUSE_NS + before.state.bytes() * NS_A_BYTE;
        return isAll || clock.awakeNs() - before.atNs >= pauseNs;
    }

    private boolean isBrought(ObjectStore store, String file, State state, Path from)
            throws IOException {
        try {
            store.put(name + "/" + file, from, gone -> lastGoneNs = clock.awakeNs());
            kept.put(file, new Kept(state, clock.awakeNs()));
            return true;
        } catch (NoSuchFileException e) {
            return false; // An old checkpoint, removed meanwhile.
        }
    }

    /** Without what is hidden: files under way and locks. */
    private TreeMap<String, State> here() throws IOException {
        TreeMap<String, State> here = new TreeMap<>(ORDER);
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.toList()) {
                String below = folder.relativize(path).toString().replace('\\', '/');
                if (!isHidden(below) && Files.isRegularFile(path)) {
                    try {
                        long modifiedNs = Files.getLastModifiedTime(path).to(TimeUnit.NANOSECONDS);
                        here.put(below, new State(Files.size(path), modifiedNs));
                    } catch (NoSuchFileException e) {
                        continue;
                    }
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause(); // A folder went while it was walked.
        }
        return here;
    }
}

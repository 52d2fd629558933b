package dev.medley.api.stored;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.time.Clock;
import dev.medley.store.object.ObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the folder of a run in an object store as it grows. What fails is tried again with the next
 * pass; training never waits for it. At the end all is brought there, for as long as that takes
 * while the store answers, and for some minutes where it does not.
 *
 * <p>One process keeps a run: who begins last has it, and one that finds another's mark stops.
 *
 * <p>Thread: its own, but for {@link #close}, which waits.
 */
public final class RunMirror implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunMirror.class);
    private static final long PASS_MILLIS = 1_000;
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(10);
    private static final String OWNER = "/.owner";

    private final StoreUrl url;
    private final Path folder;
    private final UnaryOperator<@Nullable String> environment;
    private final Clock clock;
    private final Consumer<String> warns;
    private final String name;
    private final MirroredFiles files;
    private final byte[] token = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    /** Who closes; guarded by itself. */
    private final List<Thread> waiting = new ArrayList<>();

    private volatile boolean isStopped;
    private String lastTrouble = "";

    private RunMirror(
            StoreUrl url,
            Path folder,
            UnaryOperator<@Nullable String> environment,
            Clock clock,
            Consumer<String> warns) {
        this.url = url;
        this.folder = folder;
        this.environment = environment;
        this.clock = clock;
        this.warns = warns;
        this.name = String.valueOf(folder.getFileName());
        this.files = new MirroredFiles(folder, name, clock);
        this.thread = new Thread(this::keep, "run-mirror");
        this.thread.setDaemon(true);
    }

    /**
     * Begins.
     *
     * @param url of the folder of runs
     * @param folder of the run
     * @param environment a variable's value, null if it is not set
     * @param warns told what could not be kept, on the thread that closes
     * @throws ConfigException if the store cannot be written
     */
    public static RunMirror begin(
            StoreUrl url,
            Path folder,
            UnaryOperator<@Nullable String> environment,
            Clock clock,
            Consumer<String> warns) {
        Path named = folder.toAbsolutePath().normalize();
        RunMirror mirror = new RunMirror(url, named, environment, clock, warns);
        try (ObjectStore store = ObjectStore.open(url, environment)) {
            store.write(mirror.name + OWNER, mirror.token);
            mirror.files.found(store.list(mirror.name));
        } catch (IOException e) {
            throw new ConfigException("checkpoint.store: " + e.getMessage(), e);
        }
        mirror.thread.start();
        return mirror;
    }

    private void keep() {
        try {
            while (!ended.await(PASS_MILLIS, TimeUnit.MILLISECONDS)) {
                tried(false);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The process ends.
        }
    }

    /** Whether all is there. */
    private boolean tried(boolean isLast) {
        try {
            MirroredFiles.Due due = files.due(isLast);
            if (!due.isEmpty()) {
                bring(due);
            }
            lastTrouble = "";
            return true;
        } catch (IOException | RuntimeException e) {
            trouble(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void bring(MirroredFiles.Due due) throws IOException {
        try (ObjectStore store = ObjectStore.open(url, environment)) {
            if (Arrays.equals(store.read(name + OWNER), token)) {
                files.pass(store, due);
                return;
            }
        }
        LOG.warn("another process goes on with this run in {}: this one keeps its folder", url);
        ended.countDown();
    }

    /** The same once. */
    private void trouble(String what) {
        if (!what.equals(lastTrouble)) {
            LOG.warn("the run is not kept in {} at the moment: {}", url, what);
            lastTrouble = what;
        }
    }

    /** Ends the wait of {@link #close}, now or when it begins. From any thread. */
    public void stopWaiting() {
        synchronized (waiting) {
            isStopped = true;
            waiting.forEach(Thread::interrupt);
        }
    }

    /** Brings the rest there. */
    @Override
    public void close() {
        boolean isOver = ended.getCount() == 0;
        ended.countDown();
        try {
            beginWait();
            thread.join();
            awaitAll(isOver);
        } catch (InterruptedException e) {
            if (!isStopped) {
                Thread.currentThread().interrupt();
            }
            warns.accept(notWhole("interrupted"));
        } finally {
            endWait();
        }
    }

    private void beginWait() throws InterruptedException {
        synchronized (waiting) {
            waiting.add(Thread.currentThread());
            if (isStopped) {
                throw new InterruptedException();
            }
        }
    }

    private void endWait() {
        synchronized (waiting) {
            waiting.clear();
            boolean unused = isStopped && Thread.interrupted(); // Whoever closes has more to do.
        }
    }

    private void awaitAll(boolean isOver) throws InterruptedException {
        long beginNs = clock.awakeNs();
        boolean isSaid = false;
        while (!isOver && !tried(true)) {
            if (clock.awakeNs() - Math.max(beginNs, files.lastGoneNs()) > PATIENCE_NS) {
                warns.accept(notWhole(lastTrouble));
                return;
            }
            CountDownLatch pause = new CountDownLatch(1);
            boolean unused = pause.await(1, TimeUnit.SECONDS);
            if (!isSaid) {
                isSaid = true;
                warns.accept(
                        "waits for %s, ten minutes while it does not answer (%s); the run is in %s"
                                .formatted(url, lastTrouble, folder));
            }
        }
    }

    private String notWhole(String why) {
        return "the run is not whole in %s: %s; it is in %s".formatted(url, why, folder);
    }
}

package dev.medley.serving.log;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.serving.DrawnShare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests into files, on a thread of its own. What finds no room in its queue, or none on
 * the disk, is dropped, counted and said; no request waits for it.
 *
 * <p>Thread: any.
 */
public final class RequestLog implements AutoCloseable {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
    private static final long MOST_UNWRITTEN = 1000;
    private static final long LOOK_MILLIS = 200;
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long END_MILLIS = 20_000;

    private final LogOptions options;
    private final Masks masks;
    private final Clock clock;
    private final Consumer<String> tell;
    private final DrawnShare share;
    private final LinkedBlockingQueue<LoggedRequest> queue = new LinkedBlockingQueue<>();
    private final AtomicLong held = new AtomicLong();
    private final LongAdder written = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final Thread writer = new Thread(this::write, "medley-request-log");
    private volatile boolean isEnding;

    // Of the writing thread.
    private @Nullable LogFile file;
    private String stamp = "";
    private long begunNs;
    private long troubleNs;
    private boolean isInTrouble;
    private long saidDropped;
    private long saidNs;
    private int files;
    private long unwritten;

    private RequestLog(LogOptions options, Masks masks, Clock clock, Consumer<String> tell) {
        this.options = options;
        this.masks = masks;
        this.clock = clock;
        this.tell = tell;
        this.share = new DrawnShare(options.share());
    }

    /**
     * Begins a log.
     *
     * @param tell sentences for who runs the server
     * @throws ConfigException if its folder cannot be written to
     */
    public static RequestLog open(
            LogOptions options, Masks masks, Clock clock, Consumer<String> tell) {
        RequestLog log = new RequestLog(options, masks, clock, tell);
        try {
            Files.createDirectories(log.folder());
            Files.delete(Files.createTempFile(log.folder(), "log", ".part"));
        } catch (IOException e) {
            throw new ConfigException(
                    "--log %s: cannot be written: %s".formatted(options.to(), e), e);
        }
        log.writer.setDaemon(true);
        log.writer.start();
        return log;
    }

    private Path folder() {
        Path parent = options.to().toAbsolutePath().getParent();
        return options.isFolder() || parent == null ? options.to() : parent;
    }

    /** Whether the next request is one that is written. */
    public boolean isDrawn() {
        return share.next();
    }

    /** What is masked. */
    public Masks masks() {
        return masks;
    }

    /** Requests that were written. */
    public long written() {
        return written.sum();
    }

    /** Requests that found no room. */
    public long dropped() {
        return dropped.sum();
    }

    /** Hands a request over; returns at once. */
    public void add(LoggedRequest request) {
        long cells = request.cells();
        if (isEnding || held.addAndGet(cells) > options.queue()) {
            held.addAndGet(-cells);
            dropped.increment();
            return;
        }
        queue.add(request);
    }

    private void write() {
        try {
            while (!isEnding || !queue.isEmpty()) {
                LoggedRequest next = queue.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    write(next);
                    held.addAndGet(-next.cells());
                }
                lookAfterFile(next == null);
            }
        } catch (InterruptedException e) {
            tell.accept("the log of requests ends before all is written");
        }
        end();
    }

    private void write(LoggedRequest request) {
        try {
            LogFile now = file;
            if (now == null) {
                if (isInTrouble && clock.nowNs() - troubleNs < RETRY_NS) {
                    dropped.increment();
                    return;
                }
                now = begin();
            }
            for (LogRow row : LogRow.of(request, masks)) {
                now.add(row);
            }
            if (++unwritten >= MOST_UNWRITTEN) {
                flush(now);
            }
        } catch (IOException | RuntimeException e) {
            dropped.increment();
            failed(e);
        }
    }

    /** What is on the disk counts as written; Parquet is there when it is whole. */
    private void flush(LogFile now) throws IOException {
        if (now.flush()) {
            counted();
        }
    }

    private void counted() {
        written.add(unwritten);
        if (isInTrouble && unwritten > 0) {
            isInTrouble = false;
            tell.accept("the log of requests can be written again");
        }
        unwritten = 0;
    }

    private LogFile begin() throws IOException {
        stamp = STAMP.format(Instant.ofEpochMilli(clock.wallMillis())) + "-" + ++files;
        LogFile begun = LogFile.begin(options.format(), part());
        file = begun;
        begunNs = clock.nowNs();
        return begun;
    }

    /** Says once what is wrong, and gives the file up: another is tried later. */
    private void failed(Exception e) {
        LogFile broken = file;
        file = null;
        dropped.add(unwritten);
        unwritten = 0;
        troubleNs = clock.nowNs();
        if (broken != null) {
            broken.abandon();
        }
        if (!isInTrouble) {
            isInTrouble = true;
            String said = masks.isEmpty() ? e.toString() : e.getClass().getName();
            tell.accept(
                    "%s: requests cannot be logged, and are dropped until they can: %s"
                            .formatted(folder(), said));
        }
    }

    private void lookAfterFile(boolean isIdle) {
        LogFile now = file;
        try {
            if (now != null && isIdle) {
                flush(now);
            }
            boolean isDue =
                    now != null
                            && now.bytes() > 0
                            && (now.bytes() >= options.fileBytes()
                                    || clock.nowNs() - begunNs >= options.fileNs());
            if (isDue) {
                finish();
            }
        } catch (IOException | RuntimeException e) {
            failed(e);
        }
        sayDropped(isIdle);
    }

    private void sayDropped(boolean isIdle) {
        long now = dropped.sum();
        boolean isTime = saidDropped == 0 || isEnding || clock.nowNs() - saidNs >= RETRY_NS;
        if (now > saidDropped && isIdle && isTime) {
            saidNs = clock.nowNs();
            tell.accept(
                    "%d requests were not logged for want of room".formatted(now - saidDropped));
            saidDropped = now;
        }
    }

    private void finish() throws IOException {
        LogFile now = file;
        file = null;
        if (now == null) {
            return;
        }
        if (now.bytes() == 0) {
            now.abandon();
            Files.deleteIfExists(part());
            return;
        }
        try {
            now.finish(whole());
            counted();
        } catch (IOException | RuntimeException e) {
            now.abandon();
            throw e;
        }
    }

    private Path part() {
        return folder().resolve(stem() + "-" + stamp + options.format().ending() + ".part");
    }

    /** A file that is named gets its name while that is free; those behind it have the time. */
    private Path whole() {
        if (!options.isFolder() && !Files.exists(options.to())) {
            return options.to();
        }
        String ending = options.isFolder() ? options.format().ending() : ending();
        return folder().resolve(stem() + "-" + stamp + ending);
    }

    private String ending() {
        String name = String.valueOf(options.to().getFileName());
        return name.substring(name.lastIndexOf('.'));
    }

    private String stem() {
        String name = String.valueOf(options.to().getFileName());
        return options.isFolder() ? "requests" : name.substring(0, name.lastIndexOf('.'));
    }

    private void end() {
        try {
            finish();
        } catch (IOException | RuntimeException e) {
            failed(e);
        }
        sayDropped(true);
    }

    /** Writes what waits, and makes the last file whole. */
    @Override
    public void close() {
        isEnding = true;
        try {
            writer.join(END_MILLIS);
            if (writer.isAlive()) {
                writer.interrupt();
                writer.join(END_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

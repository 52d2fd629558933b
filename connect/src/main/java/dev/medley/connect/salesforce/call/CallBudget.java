package dev.medley.connect.salesforce.call;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * Keeps all syncs that name one file within a share of the calls that an org has left. When 24
 * hours begin, {@code /limits} says how many those are; each call is taken from the share before it
 * is made. A process takes some at a time, so one that is killed loses a few, and none is made
 * twice.
 *
 * <p>Thread: any.
 */
public final class CallBudget {
    private static final Duration DAY = Duration.ofHours(24);
    private static final int MOST_AT_ONCE = 20;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private final int percent;
    private final Path file;
    private final Clock clock;
    private int inHand;
    private long inHandUntilMillis;

    /** What is left of the org's day, asked when 24 hours begin. */
    @FunctionalInterface
    interface Left {
        long calls() throws IOException;
    }

    /**
     * What the file has.
     *
     * @param sinceMillis when the 24 hours began
     * @param allowed how many calls the share is
     * @param taken how many of them are gone
     */
    private record Share(long sinceMillis, int percent, long allowed, long taken) {}

    /** A share of {@code percent} from 1 to 100, counted in {@code file}. */
    public CallBudget(int percent, Path file, Clock clock) {
        ConfigException.check(
                percent >= 1 && percent <= 100,
                "budget of %d %% of Salesforce's calls: give 1 to 100",
                percent);
        this.percent = percent;
        this.file = file;
        this.clock = clock;
    }

    /** Takes one call, or throws before it is made. */
    synchronized void take(Left left) throws IOException {
        if (inHand > 0 && clock.wallMillis() < inHandUntilMillis) {
            inHand--;
            return;
        }
        inHand = 0;
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path lockFile = file.resolveSibling(file.getFileName() + ".lock");
        try (FileChannel channel =
                        FileChannel.open(
                                lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            Share share = current(left);
            long free = share.allowed() - share.taken();
            if (free <= 0) {
                throw new LimitReached(
                        ("%d %% of the calls that Salesforce had left are used up (%,d); go on"
                             + " after %s, or give the syncs a larger share. What was read is kept")
                                .formatted(
                                        percent,
                                        share.allowed(),
                                        time(share.sinceMillis() + DAY.toMillis())));
            }
            inHand = (int) Math.min(MOST_AT_ONCE, Math.max(1, free / 10));
            inHandUntilMillis = share.sinceMillis() + DAY.toMillis();
            write(new Share(share.sinceMillis(), percent, share.allowed(), share.taken() + inHand));
            inHand--;
            lock.release();
        }
    }

    private Share current(Left left) throws IOException {
        long now = clock.wallMillis();
        Optional<Share> known = read();
        if (known.isPresent() && now - known.get().sinceMillis() < DAY.toMillis()) {
            Share share = known.get();
            return share.percent() == percent
                    ? share
                    : new Share(
                            share.sinceMillis(),
                            percent,
                            share.allowed() * percent / share.percent(),
                            share.taken());
        }
        return new Share(now, percent, left.calls() * percent / 100, 0);
    }

    private Optional<Share> read() throws IOException {
        return Files.exists(file) ? Optional.of(Json.read(file, Share.class)) : Optional.empty();
    }

    private void write(Share share) throws IOException {
        AtomicFile.write(file, Json.bytes(share));
    }

    /** The org itself says that its calls are used up: what it means, in words. */
    LimitReached orgIsUsedUp(String said) {
        return new LimitReached(
                ("Salesforce takes no more calls of this org today (%s): its limit counts the last"
                     + " 24 hours, so calls return one by one until %s. What was read is kept; go"
                     + " on later")
                        .formatted(said.strip(), time(clock.wallMillis() + DAY.toMillis())));
    }

    private static String time(long millis) {
        return TIME.format(Instant.ofEpochMilli(millis));
    }
}

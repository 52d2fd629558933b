package dev.medley.tenant.door;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Holds a stretch of an object.
 *
 * @param from first byte
 * @param bytes of it
 * @param isPart whether it was asked for as a stretch
 */
record ByteRange(long from, long bytes, boolean isPart) {
    private static final Pattern ONE = Pattern.compile("bytes=(?<from>\\d{0,18})-(?<to>\\d{0,18})");

    /**
     * The stretch that a Range header asks for. What is no single range is passed over, as S3 does:
     * all is sent.
     *
     * @throws DoorFailure if it begins behind the end
     */
    static ByteRange of(@Nullable String header, long size) {
        Matcher one = ONE.matcher(header == null ? "" : header.strip());
        if (!one.matches() || (one.group("from") + one.group("to")).isEmpty()) {
            return new ByteRange(0, size, false);
        }
        long from;
        long to = size - 1;
        if (one.group("from").isEmpty()) {
            from = Math.max(0, size - Long.parseLong(one.group("to")));
        } else {
            from = Long.parseLong(one.group("from"));
            if (!one.group("to").isEmpty()) {
                long asked = Long.parseLong(one.group("to"));
                if (asked < from) {
                    return new ByteRange(0, size, false);
                }
                to = Math.min(to, asked);
            }
        }
        if (from >= size) {
            throw new DoorFailure(
                    416, "InvalidRange", "the range begins behind the end of the object");
        }
        return new ByteRange(from, to - from + 1, true);
    }

    /** How many of an object's rows it is charged as: its share of the bytes, rounded up. */
    long rows(long rowsOfAll, long size) {
        return size == 0 || bytes == size
                ? rowsOfAll
                : (long) Math.ceil((double) rowsOfAll * bytes / size);
    }
}

package dev.medley.tenant.quota;

import dev.medley.tenant.audit.AuditEntry;
import dev.medley.tenant.audit.AuditKind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what each caller takes and refuses what is too much. It is decided and counted in one
 * step, so of many requests at the same time exactly those that fit are let through. What was
 * counted before a restart is read from the audit. Memory: some 100 bytes a caller of this day.
 *
 * <p>Thread: any.
 */
public final class Quotas {
    private static final long MINUTE_MS = 60_000;
    private static final long DAY_MS = 24 * 60 * MINUTE_MS;

    /** How the reason begins of what was refused for a quota, and did not count. */
    private static final String FULL = "SlowDown";

    private static final int CALLERS_BEFORE_TIDYING = 10_000;

    private final Map<String, Usage> usages = new HashMap<>();
    private int mostUsages = CALLERS_BEFORE_TIDYING;

    /** Of one caller. */
    private static final class Usage {
        private long minute;
        private long requests;
        private long day;
        private long rows;
        private long bytes;
        private long reads;

        /**
         * A minute or day that has come begins with nothing; one that has gone never comes back.
         */
        void turnTo(long nowMs) {
            if (nowMs / MINUTE_MS > minute) {
                minute = nowMs / MINUTE_MS;
                requests = 0;
            }
            if (nowMs / DAY_MS > day) {
                day = nowMs / DAY_MS;
                rows = 0;
                bytes = 0;
            }
        }
    }

    /** Counts what an earlier process allowed. */
    public synchronized void count(AuditEntry entry) {
        boolean isWrong = entry.kind() == AuditKind.DENIED && entry.of() == 0;
        if (entry.kind() == AuditKind.BEGAN || (isWrong && !entry.why().startsWith(FULL))) {
            usage(entry.ask().caller(), entry.atMs()).requests++;
        } else if (entry.kind() == AuditKind.SENDS) {
            Usage usage = usage(entry.ask().caller(), entry.atMs());
            usage.rows += entry.rows();
            usage.bytes += entry.bytes();
        }
    }

    /**
     * Counts a request and a read under way, which has to {@link #end}.
     *
     * @return null where it may go on
     */
    public synchronized @Nullable QuotaRefusal begin(
            String caller, QuotaLimits limits, long nowMs) {
        Usage usage = usage(caller, nowMs);
        if (usage.requests >= limits.requestsPerMinute()) {
            return refusal(
                    "requests a minute",
                    limits.requestsPerMinute(),
                    1,
                    usage.requests,
                    (usage.minute + 1) * MINUTE_MS,
                    nowMs);
        }
        if (usage.reads >= limits.concurrentReads()) {
            return new QuotaRefusal(
                    "at most %d requests at the same time: %d are under way; the limit frees when"
                                    .formatted(limits.concurrentReads(), usage.reads)
                            + " one of them ends",
                    1);
        }
        usage.requests++;
        usage.reads++;
        return null;
    }

    /** A read has come to its end. */
    public synchronized void end(String caller) {
        Usage usage = usages.get(caller);
        if (usage != null && usage.reads > 0) {
            usage.reads--;
        }
    }

    /**
     * Counts an answer that is about to leave.
     *
     * @return null where it may leave
     */
    public synchronized @Nullable QuotaRefusal charge(
            String caller, QuotaLimits limits, long rows, long bytes, long nowMs) {
        Usage usage = usage(caller, nowMs);
        long freesMs = (usage.day + 1) * DAY_MS;
        if (rows > limits.rowsPerDay() - usage.rows) {
            return refusal("rows a day", limits.rowsPerDay(), rows, usage.rows, freesMs, nowMs);
        }
        if (bytes > limits.bytesPerDay() - usage.bytes) {
            return refusal("bytes a day", limits.bytesPerDay(), bytes, usage.bytes, freesMs, nowMs);
        }
        usage.rows += rows;
        usage.bytes += bytes;
        return null;
    }

    private static QuotaRefusal refusal(
            String what, long limit, long wanted, long used, long freesMs, long nowMs) {
        return new QuotaRefusal(
                "at most %s %s: %s are used and this takes %s; the limit frees at %s"
                        .formatted(
                                number(limit),
                                what,
                                number(used),
                                number(wanted),
                                Instant.ofEpochMilli(freesMs).truncatedTo(ChronoUnit.SECONDS)),
                Math.max(1, (freesMs - nowMs + 999) / 1000));
    }

    private static String number(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    private Usage usage(String caller, long nowMs) {
        if (usages.size() >= mostUsages && !usages.containsKey(caller)) {
            long day = nowMs / DAY_MS;
            usages.values().removeIf(each -> each.day < day && each.reads == 0);
            mostUsages = Math.max(CALLERS_BEFORE_TIDYING, 2 * usages.size());
        }
        Usage usage = usages.computeIfAbsent(caller, name -> new Usage());
        usage.turnTo(nowMs);
        return usage;
    }
}

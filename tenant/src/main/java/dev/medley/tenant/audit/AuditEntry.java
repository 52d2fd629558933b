package dev.medley.tenant.audit;

import java.time.Instant;
import java.util.List;

/**
 * Holds one line of the audit. Rows are counted in it, and never shown.
 *
 * @param number from 1, without gaps
 * @param atMs since 1970; never less than that of the entry before
 * @param of number of the entry with which the request began; 0 in that entry, and of what began
 *     nothing
 * @param rows charged, or of the answer
 * @param bytes charged, or handed to the connection
 * @param outcome how it ended; empty before
 * @param previous hash of the entry before; zeros in the first
 */
public record AuditEntry(
        long number,
        long atMs,
        AuditKind kind,
        long of,
        AuditAsk ask,
        String why,
        long rows,
        long bytes,
        String outcome,
        String previous) {
    /** One line for people; whatever is not printable is escaped. */
    public String words() {
        StringBuilder words = new StringBuilder();
        words.append(Instant.ofEpochMilli(atMs)).append("  ").append(number);
        words.append(' ').append(kind.word());
        if (of > 0) {
            words.append(" of ").append(of);
        }
        for (String text : List.of(ask.caller(), ask.action(), why, outcome)) {
            if (!text.isEmpty()) {
                words.append(", ");
                AuditLine.escape(words, text);
            }
        }
        if (rows > 0 || bytes > 0) {
            words.append(", %d rows, %d bytes".formatted(rows, bytes));
        }
        return words.toString();
    }
}

package dev.medley.connect.back;

/**
 * Counts what a write-back did.
 *
 * @param rows that the destination is to have
 * @param unchanged that it has already
 * @param written now
 * @param failed now; they are among the dead letters
 */
public record BackReport(long rows, long unchanged, long written, long failed) {}

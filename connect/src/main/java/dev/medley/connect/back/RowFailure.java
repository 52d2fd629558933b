package dev.medley.connect.back;

/**
 * Says why a destination did not take a row.
 *
 * @param code a word of the destination's, such as DUPLICATES_DETECTED
 * @param reason for people
 */
public record RowFailure(String code, String reason) {}

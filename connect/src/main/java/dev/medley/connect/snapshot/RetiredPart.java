package dev.medley.connect.snapshot;

/**
 * Names a part whose rows are in another one since. It stays for a day, for those who read an
 * earlier manifest.
 *
 * @param atMicros when it was merged
 */
public record RetiredPart(String file, long atMicros) {}

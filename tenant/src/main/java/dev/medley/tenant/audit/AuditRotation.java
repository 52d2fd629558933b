package dev.medley.tenant.audit;

import dev.medley.base.ConfigException;

/**
 * Says when a log goes on in a new file, and how many full ones stay.
 *
 * @param fileBytes a file that holds so many is full
 * @param keptFiles full files that stay beside the one that is written
 */
public record AuditRotation(long fileBytes, int keptFiles) {
    private static final int MB = 1 << 20;

    /** Of 64 MB each, of which all stay. */
    public static final AuditRotation USUAL = new AuditRotation(64L * MB, Integer.MAX_VALUE);

    public AuditRotation {
        ConfigException.check(fileBytes >= 1, "a file of %d bytes: give more", fileBytes);
        ConfigException.check(keptFiles >= 1, "%d full files: keep 1 or more of them", keptFiles);
    }

    /** As an operator says it; a {@link ConfigException} where it cannot be. */
    public static AuditRotation of(int fileMb, int keptFiles) {
        ConfigException.check(fileMb >= 1, "--audit-mb %d: give 1 MB or more", fileMb);
        ConfigException.check(
                keptFiles >= 1, "--audit-keep %d: keep 1 full file or more", keptFiles);
        return new AuditRotation((long) fileMb * MB, keptFiles);
    }
}

package dev.medley.tenant.audit;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a log is what was written, and what is in it.
 *
 * @param entries that are there, up to the first that is wrong
 * @param removed entries of files that were removed, as a note says
 * @param files in which the log is
 * @param lost requests that began and never ended, as a later start noted
 * @param open requests that began and have not ended: under way, or cut off by a crash
 * @param torn stretches of bytes that power failures left, each noted and hashed
 * @param head of the last good entry
 * @param behindKept entries behind the head that was kept elsewhere; null without one
 * @param broken why it is not what was written; null where all holds
 */
public record AuditCheck(
        long entries,
        long removed,
        int files,
        long firstMs,
        long lastMs,
        long lost,
        long open,
        long torn,
        AuditHead head,
        @Nullable Long behindKept,
        @Nullable String broken) {
    /** Reads all of a log beside its head file. */
    public static AuditCheck of(Path file) throws IOException {
        return of(file, null, entry -> {});
    }

    /**
     * The same with a head that was kept elsewhere, too.
     *
     * @param kept null for none
     * @param each told every entry that is in the chain
     */
    public static AuditCheck of(Path file, @Nullable AuditHead kept, Consumer<AuditEntry> each)
            throws IOException {
        Path log = AuditFiles.real(file);
        ConfigException.check(
                AuditFiles.isThere(log), "%s: there is no such log of requests to read", file);
        return ofLog(log, kept, each);
    }

    private static AuditCheck ofLog(Path file, @Nullable AuditHead kept, Consumer<AuditEntry> each)
            throws IOException {
        AuditHead beside = AuditLog.headBeside(file);
        AuditScan scan = AuditScan.of(file, beside, each);
        String broken = scan.broken();
        if (broken == null && scan.tornBytes() > 0) {
            broken =
                    "the %d bytes behind entry %d are no entry: changed, or torn by a power failure;"
                                    .formatted(scan.tornBytes(), scan.head().number())
                            + " the next start of the door says which, and notes them";
        }
        if (broken == null && beside == null) {
            broken =
                    "%s is not there, without which entries cut off at the end are not found"
                            .formatted(AuditLog.headFile(file).getFileName());
        }
        if (broken == null && kept != null) {
            broken = AuditScan.of(file, kept, entry -> {}).broken();
        }
        return new AuditCheck(
                scan.head().number() - scan.removed(),
                scan.removed(),
                scan.files(),
                scan.firstMs(),
                scan.lastMs(),
                scan.lost(),
                scan.open().size(),
                scan.tornBefore(),
                scan.head(),
                kept == null ? null : scan.head().number() - kept.number(),
                broken);
    }
}

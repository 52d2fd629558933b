package dev.medley.tenant.door;

import dev.medley.base.NamedFile;
import dev.medley.base.Sha256;
import dev.medley.base.time.Clock;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.TemporaryFolder;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.audit.AuditAsk;
import dev.medley.tenant.audit.AuditLog;
import dev.medley.tenant.read.Extract;
import dev.medley.tenant.read.ExtractFormat;
import dev.medley.tenant.read.ReadDenied;
import dev.medley.tenant.read.TenantTables;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes what a caller sees of a table to a file of an administrator's, who is on this machine and
 * could read the table itself. It is recorded as his.
 *
 * @param why what was decided
 */
public record AuditedExtract(long rows, long bytes, String why) {
    private static final int LARGEST_BYTES = 4 << 20;

    /** What is wanted, and where. */
    public record Wish(TenantCaller caller, String table, ExtractFormat format, Path target) {}

    /**
     * Records the wish, and fulfils it.
     *
     * @param policies their file
     * @param audit the log
     * @throws ReadDenied if the caller may not read the table, which is recorded by then
     */
    public static AuditedExtract write(
            Wish wish, TenantTables tables, Path policies, Path audit, Clock clock)
            throws IOException, ReadDenied {
        String hash = Sha256.hex(NamedFile.bytes(policies, LARGEST_BYTES));
        String user = System.getProperty("user.name", "");
        try (AuditLog log = AuditLog.open(audit, clock, entry -> {})) {
            AuditAsk ask =
                    new AuditAsk(
                            "administrator " + user,
                            "read as " + wish.caller().name(),
                            wish.table(),
                            hash);
            long began = log.began(ask, "an administrator's wish");
            try {
                AuditedExtract made = written(wish, tables);
                log.ended(began, ask, made.rows(), made.bytes(), "written");
                return made;
            } catch (ReadDenied e) {
                log.denied(began, ask, String.valueOf(e.getMessage()));
                throw e;
            } catch (IOException | RuntimeException e) {
                log.ended(began, ask, 0, 0, "failed: " + e.getClass().getSimpleName());
                throw e;
            }
        }
    }

    private static AuditedExtract written(Wish wish, TenantTables tables)
            throws IOException, ReadDenied {
        Path folder = TemporaryFolder.make("door");
        Path file = folder.resolve("extract" + wish.format().ending());
        try {
            Extract made = tables.extract(wish.caller(), wish.table(), wish.format(), file);
            AtomicFile.writeOwn(
                    wish.target(),
                    made.bytes(),
                    channel -> Files.copy(file, Channels.newOutputStream(channel)));
            return new AuditedExtract(made.rows(), made.bytes(), made.why());
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }
}

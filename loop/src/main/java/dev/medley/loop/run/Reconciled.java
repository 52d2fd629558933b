package dev.medley.loop.run;

import dev.medley.connect.sync.Reconciliation;
import dev.medley.connect.sync.SyncReport;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a source's snapshot is what the source is now.
 *
 * @param source its name in the loop
 * @param version of the snapshot that was compared
 * @param syncedMs when it was synced last, milliseconds since 1970
 * @param found counts and checksums of both sides
 * @param repair what reading all of it anew did; null where that was not done
 */
public record Reconciled(
        String source,
        long version,
        long syncedMs,
        Reconciliation found,
        @Nullable SyncReport repair) {}

package dev.medley.connect.salesforce;

import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.RowFailure;
import dev.medley.connect.back.RowOutcomes;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import java.io.IOException;
import java.util.List;

/**
 * Sends rows again whose record, or its parent, was locked: sorted by parent, in smaller and
 * smaller batches, after longer and longer rests. What is still locked then is a dead letter.
 */
final class RowLocks {
    static final String CODE = "UNABLE_TO_LOCK_ROW";
    private static final List<Integer> BATCHES = List.of(50, 20, 5, 1);

    private RowLocks() {}

    static void retry(
            List<BackRow> locked,
            RowForm form,
            SalesforceCalls calls,
            UpsertBatches batches,
            RowOutcomes delivery)
            throws IOException {
        List<BackRow> left = locked;
        for (int i = 0; i < BATCHES.size() && !left.isEmpty(); i++) {
            calls.waits().backOff(i + 1);
            left = left.stream().sorted(form.byParent()).toList();
            left = batches.send(left, BATCHES.get(i), delivery);
        }
        for (BackRow row : left) {
            delivery.failed(
                    row,
                    new RowFailure(CODE, "its record or its parent was locked at each of 5 tries"));
        }
    }
}

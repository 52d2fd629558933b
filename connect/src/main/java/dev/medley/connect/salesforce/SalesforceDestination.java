package dev.medley.connect.salesforce;

import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.BackTable;
import dev.medley.connect.back.Destination;
import dev.medley.connect.back.RowFailure;
import dev.medley.connect.back.RowOutcomes;
import dev.medley.connect.salesforce.call.CallBudget;
import dev.medley.connect.salesforce.call.ObjectFields;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.connect.salesforce.call.SalesforceLogin;
import dev.medley.connect.salesforce.call.Waits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Upserts rows into an object by an external id: up to 2,000 by REST, 200 with a call; more as jobs
 * of Bulk 2.0.
 *
 * <p>Thread: one.
 */
public final class SalesforceDestination implements Destination {
    /** Below it, jobs are not worth their while (Salesforce's own advice). */
    static final int FEW_ROWS = 2_000;

    private static final int MOST_ROWS = 50_000;
    private static final int JOBS_FOR_UNTOUCHED = 3;

    private final SalesforceCalls calls;
    private final BackTable table;
    private final String org;
    private @Nullable RowForm form;

    /** An object of the org that {@code login} opens, within a budget that others share. */
    public SalesforceDestination(
            SalesforceLogin login, BackTable table, CallBudget budget, Waits waits) {
        this.calls = new SalesforceCalls(login, budget, waits);
        this.table = table;
        this.org = login.loginUrl();
    }

    @Override
    public String name() {
        return "salesforce:" + table.table() + " at " + org;
    }

    @Override
    public BackTable table() {
        return table;
    }

    @Override
    public String identity() throws IOException {
        return name() + " " + calls.org();
    }

    @Override
    public void open() throws IOException {
        form = RowForm.of(table, ObjectFields.of(calls, table.table()));
    }

    private RowForm form() {
        return Objects.requireNonNull(form, "open first");
    }

    @Override
    public int mostRows() {
        return MOST_ROWS;
    }

    @Override
    public void send(List<BackRow> rows, RowOutcomes delivery) throws IOException {
        List<BackRow> forJob = new ArrayList<>();
        List<BackRow> byRest = new ArrayList<>();
        for (BackRow row : rows.stream().sorted(form().byParent()).toList()) {
            Optional<RowFailure> trouble = form().trouble(row);
            if (trouble.isPresent()) {
                delivery.failed(row, trouble.get());
            } else if (form().fitsCsv(row)) {
                forJob.add(row);
            } else {
                byRest.add(row);
            }
        }
        if (forJob.size() <= FEW_ROWS) {
            byRest.addAll(forJob);
            forJob = List.of();
        }
        UpsertBatches batches = new UpsertBatches(calls, form());
        List<BackRow> locked = new ArrayList<>();
        for (int jobs = 1; !forJob.isEmpty(); jobs++) {
            IngestJob.Left left = new IngestJob(calls, form()).send(forJob, delivery);
            locked.addAll(left.locked());
            forJob = left.untouched();
            if (!forJob.isEmpty() && jobs == JOBS_FOR_UNTOUCHED) {
                throw new IOException(
                        "%s: %,d rows were not processed by %d jobs; the next try sends them"
                                .formatted(name(), forJob.size(), jobs));
            }
        }
        locked.addAll(batches.send(byRest, UpsertBatches.MOST_ROWS, delivery));
        RowLocks.retry(locked, form(), calls, batches, delivery);
    }

    @Override
    public void recover(JsonNode note, List<BackRow> rows, RowOutcomes delivery)
            throws IOException {
        new IngestJob(calls, form()).recover(note, rows, delivery);
    }
}

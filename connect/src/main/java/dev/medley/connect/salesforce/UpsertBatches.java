package dev.medley.connect.salesforce;

import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.RowFailure;
import dev.medley.connect.back.RowOutcomes;
import dev.medley.connect.salesforce.call.OrgCall;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.connect.salesforce.call.SalesforceRefusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Upserts rows by REST, up to 200 with a call. The external id makes a repeated call change
 * nothing, so one whose outcome is unknown is simply made again.
 */
final class UpsertBatches {
    static final int MOST_ROWS = 200;

    private final SalesforceCalls calls;
    private final RowForm form;

    UpsertBatches(SalesforceCalls calls, RowForm form) {
        this.calls = calls;
        this.form = form;
    }

    /** Sends rows; those whose lock another one holds are returned, and nothing is said of them. */
    List<BackRow> send(List<BackRow> rows, int batch, RowOutcomes delivery) throws IOException {
        List<BackRow> locked = new ArrayList<>();
        for (int from = 0; from < rows.size(); from += batch) {
            one(rows.subList(from, Math.min(rows.size(), from + batch)), delivery, locked);
            delivery.settle();
        }
        return locked;
    }

    /** One value that the org cannot read ends the call for all: the row that has it is found. */
    private void unreadable(
            List<BackRow> rows, SalesforceRefusal said, RowOutcomes delivery, List<BackRow> locked)
            throws IOException {
        if (rows.size() == 1) {
            delivery.failed(
                    rows.get(0), new RowFailure(said.code(), String.valueOf(said.getMessage())));
            return;
        }
        int half = rows.size() / 2;
        one(rows.subList(0, half), delivery, locked);
        one(rows.subList(half, rows.size()), delivery, locked);
    }

    private void one(List<BackRow> rows, RowOutcomes delivery, List<BackRow> locked)
            throws IOException {
        String path =
                "/composite/sobjects/%s/%s".formatted(form.table().table(), form.table().key());
        JsonNode results;
        try {
            results = calls.json(OrgCall.send("PATCH", path, form.json(rows)));
        } catch (SalesforceRefusal e) {
            if (!e.code().equals("JSON_PARSER_ERROR")) {
                throw e;
            }
            unreadable(rows, e, delivery, locked);
            return;
        }
        if (!results.isArray() || results.size() != rows.size()) {
            throw new IOException(
                    "Salesforce was sent %d rows and answers for %d"
                            .formatted(rows.size(), results.size()));
        }
        for (int i = 0; i < rows.size(); i++) {
            JsonNode result = results.get(i);
            if (result.path("success").asBoolean(false)) {
                delivery.written(rows.get(i));
                continue;
            }
            JsonNode errors = result.path("errors");
            JsonNode error = errors.isEmpty() ? errors : errors.get(0);
            String code = error.path("statusCode").asString("UNKNOWN");
            if (code.equals(RowLocks.CODE)) {
                locked.add(rows.get(i));
            } else {
                delivery.failed(
                        rows.get(i), new RowFailure(code, error.path("message").asString("")));
            }
        }
    }
}

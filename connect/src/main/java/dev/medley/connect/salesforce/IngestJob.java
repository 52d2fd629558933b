package dev.medley.connect.salesforce;

import dev.medley.base.Json;
import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.RowFailure;
import dev.medley.connect.back.RowOutcomes;
import dev.medley.connect.salesforce.call.LimitReached;
import dev.medley.connect.salesforce.call.OrgCall;
import dev.medley.connect.salesforce.call.ResultRecords;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.connect.salesforce.call.SalesforceRefusal;
import dev.medley.connect.salesforce.call.Waits;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Upserts many rows as a job of Bulk 2.0. An upload whose outcome is unknown is abandoned with its
 * job before anything of it is done, and made anew; from then on the job is asked. The job's name
 * is kept before it begins, so that after a cut nobody sends its rows again while it still works.
 */
final class IngestJob {
    private static final String JOBS = "/jobs/ingest";
    private static final int UPLOADS = 3;
    private static final long FIRST_LOOK_NS = 500_000_000L;
    private static final long LONGEST_LOOK_NS = 20_000_000_000L;
    private static final Set<String> OVER = Set.of("JobComplete", "Failed", "Aborted");

    private final SalesforceCalls calls;
    private final RowForm form;

    /** What is kept of a job that is under way. */
    private record Note(String job) {}

    IngestJob(SalesforceCalls calls, RowForm form) {
        this.calls = calls;
        this.form = form;
    }

    /** Rows to send again: those that were locked, and those that the job did not come to. */
    record Left(List<BackRow> locked, List<BackRow> untouched) {}

    Left send(List<BackRow> rows, RowOutcomes delivery) throws IOException {
        String job = uploaded(rows);
        delivery.underWay(Json.tree(new Note(job)));
        begin(job);
        Left left = finished(job, rows, delivery);
        delivery.underWay(null);
        return left;
    }

    /** What became of a job that a process left behind. */
    void recover(JsonNode note, List<BackRow> rows, RowOutcomes delivery) throws IOException {
        String job = Json.bind(note, Note.class).job();
        try {
            if (state(job).path("state").asString("").equals("Open")) {
                abandon(job); // Nothing of it was done, and nothing will be.
                return;
            }
            finished(job, rows, delivery);
        } catch (SalesforceRefusal e) {
            if (!e.isGone()) {
                throw e;
            }
        }
    }

    private String uploaded(List<BackRow> rows) throws IOException {
        byte[] csv = form.csv(rows);
        for (int tries = 1; ; tries++) {
            String job = made();
            try {
                calls.send(
                        OrgCall.sendOnce(
                                "PUT",
                                JOBS + "/" + job + "/batches",
                                csv,
                                "text/csv; charset=UTF-8"));
                return job;
            } catch (LimitReached e) {
                throw e;
            } catch (IOException e) {
                if (tries == UPLOADS) {
                    throw e;
                }
                calls.waits().backOff(tries);
                abandon(job);
            }
        }
    }

    private String made() throws IOException {
        Map<String, Object> asked = new LinkedHashMap<>();
        asked.put("object", form.table().table());
        asked.put("operation", "upsert");
        asked.put("externalIdFieldName", form.table().key());
        asked.put("contentType", "CSV");
        asked.put("columnDelimiter", "COMMA");
        asked.put("lineEnding", "LF");
        return calls.json(OrgCall.send("POST", JOBS, asked)).path("id").asString();
    }

    private void abandon(String job) throws IOException {
        try {
            calls.send(OrgCall.send("PATCH", JOBS + "/" + job, Map.of("state", "Aborted")));
        } catch (SalesforceRefusal e) {
            if (!e.isGone() && e.status() != 400) { // It is over already.
                throw e;
            }
        }
    }

    private void begin(String job) throws IOException {
        try {
            calls.send(OrgCall.send("PATCH", JOBS + "/" + job, Map.of("state", "UploadComplete")));
        } catch (SalesforceRefusal e) {
            // It may have heard the first of two calls; then it is not open any more.
            if (e.status() != 400 || state(job).path("state").asString("").equals("Open")) {
                throw e;
            }
        }
    }

    private JsonNode state(String job) throws IOException {
        return calls.json(OrgCall.get(JOBS + "/" + job));
    }

    /** Waits for the end of a job and tells what became of each row. */
    private Left finished(String job, List<BackRow> rows, RowOutcomes delivery) throws IOException {
        Waits waits = calls.waits();
        long until = waits.clock().nowNs() + waits.job().toNanos();
        long lookNs = FIRST_LOOK_NS;
        JsonNode said = state(job);
        while (!OVER.contains(said.path("state").asString(""))) {
            if (waits.clock().nowNs() > until) {
                throw new IOException(
                        "upload job %s is still %s after %d minutes; the next try asks it again"
                                .formatted(
                                        job,
                                        said.path("state").asString(""),
                                        waits.job().toMinutes()));
            }
            waits.pause().pause(lookNs);
            lookNs = Math.min(2 * lookNs, LONGEST_LOOK_NS);
            said = state(job);
        }
        Map<String, BackRow> open = new HashMap<>();
        rows.forEach(row -> open.put(row.key(), row));
        List<BackRow> locked = new ArrayList<>();
        for (String key : keys(job, "successfulResults").keySet()) {
            BackRow row = open.remove(key);
            if (row != null) {
                delivery.written(row);
            }
        }
        for (Map.Entry<String, String> bad : keys(job, "failedResults").entrySet()) {
            BackRow row = open.remove(bad.getKey());
            if (row == null) {
                continue;
            }
            String error = bad.getValue();
            String code = error.substring(0, Math.max(0, error.indexOf(':')));
            if (code.equals(RowLocks.CODE)) {
                locked.add(row);
            } else {
                delivery.failed(row, new RowFailure(code, error));
            }
        }
        return new Left(locked, rows.stream().filter(row -> open.containsKey(row.key())).toList());
    }

    /** Keys of a list of results, each with its error where there is one. */
    private Map<String, String> keys(String job, String which) throws IOException {
        Map<String, String> keys = new LinkedHashMap<>();
        String text = calls.send(OrgCall.get(JOBS + "/" + job + "/" + which)).text();
        try (ResultRecords records = new ResultRecords(new StringReader(text))) {
            List<String> header = records.next();
            if (header.isEmpty()) {
                return keys;
            }
            int key = header.indexOf(form.table().key());
            int error = header.indexOf("sf__Error");
            if (key < 0) {
                throw new IOException(
                        "the %s of job %s do not name %s"
                                .formatted(which, job, form.table().key()));
            }
            for (List<String> row = records.next(); !row.isEmpty(); row = records.next()) {
                String said = at(row, error);
                keys.put(String.valueOf(at(row, key)), said == null ? "" : said);
            }
        }
        return keys;
    }

    private static @Nullable String at(List<String> row, int index) {
        return index >= 0 && index < row.size() ? row.get(index) : null;
    }
}

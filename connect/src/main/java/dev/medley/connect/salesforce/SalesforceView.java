package dev.medley.connect.salesforce;

import dev.medley.base.Json;
import dev.medley.connect.salesforce.call.ObjectField;
import dev.medley.connect.salesforce.call.ObjectFields;
import dev.medley.connect.salesforce.call.OrgCall;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowSink;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSchema;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Shows an object as it is while it is read: few records by one REST call, more by a job of Bulk
 * 2.0.
 *
 * <p>Thread: one.
 */
final class SalesforceView implements TableView {
    private static final String STAMP = "SystemModstamp";
    private static final String CREATED = "CreatedDate";
    private static final String DELETED = "IsDeleted";

    /** Longer ones do not fit the address of a REST call. */
    private static final int LONGEST_REST_QUERY = 8_000;

    private final SalesforceCalls calls;
    private final SalesforceTable table;
    private final ObjectFields described;
    private final List<ObjectField> fields;
    private final Changes changes;
    private final String org;
    private final @Nullable SalesforcePosition since;
    private @Nullable QueryPosition resume;
    private final boolean isResumed;
    private final @Nullable String newest;
    private boolean areKeysRead;
    private boolean areAllRead;

    private SalesforceView(
            SalesforceCalls calls,
            SalesforceTable table,
            ObjectFields described,
            @Nullable SalesforcePosition since,
            @Nullable QueryPosition resume)
            throws IOException {
        this.calls = calls;
        this.table = table;
        this.described = described;
        this.fields = described.columns(table.fields());
        this.since = since;
        this.org = calls.org();
        this.changes = decide();
        this.resume = resume != null && canGoOn(resume) ? resume : null;
        this.isResumed = this.resume != null;
        this.newest = this.resume != null ? this.resume.newest() : newestStamp();
    }

    static SalesforceView open(SalesforceCalls calls, SalesforceTable table, SyncStart start)
            throws IOException {
        ObjectFields described = ObjectFields.of(calls, table.object());
        return new SalesforceView(
                calls,
                table,
                described,
                parsed(start.since(), SalesforcePosition.class).orElse(null),
                parsed(start.resume(), QueryPosition.class).orElse(null));
    }

    /** A position of another build may be none of ours: then all is read, which is always right. */
    private static <T> Optional<T> parsed(@Nullable JsonNode json, Class<T> type) {
        try {
            return json == null ? Optional.empty() : Optional.of(Json.bindWhole(json, type));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private Changes decide() {
        if (since == null) {
            return Changes.all("the first sync reads all records" + leftOut());
        }
        if (!since.org().equals(org)) {
            return Changes.all("it is the org %s, no longer %s".formatted(org, since.org()));
        }
        if (!described.has(STAMP) || !described.has(DELETED)) {
            return Changes.all("%s keeps no stamps of changes".formatted(described.object()));
        }
        if (since.newest() == null) {
            return Changes.all("there was no record last time");
        }
        if (!since.fields().equals(types())) {
            // A field that is new here may have had values for long, and moves no stamp.
            return Changes.all("the fields changed since the last sync, so all records are read");
        }
        long ageMillis = calls.waits().clock().wallMillis() - since.keysAtMillis();
        boolean areDue = ageMillis >= table.keysEvery().toMillis();
        return new Changes(
                Changes.Rows.CHANGED,
                areDue ? Changes.Deletes.BY_KEYS : Changes.Deletes.AMONG_ROWS,
                "records with a %s from %s on%s"
                        .formatted(STAMP, from(), areDue ? ", and all ids" : ""));
    }

    private String leftOut() {
        String names = table.fields().isEmpty() ? described.leftOut() : "";
        return names.isEmpty() ? "" : "; left out: " + names;
    }

    private Instant from() {
        String stamp = since == null || since.newest() == null ? "" : since.newest();
        return Instant.parse(stamp).minus(table.overlap());
    }

    private List<String> types() {
        return fields.stream().map(field -> field.name() + ":" + field.type()).toList();
    }

    private boolean canGoOn(QueryPosition position) throws IOException {
        boolean isSame = position.soql().equals(soql(changes.rows()));
        return isSame && new BulkQuery(calls).exists(position.job());
    }

    private @Nullable String newestStamp() throws IOException {
        if (!described.has(STAMP)) {
            return null;
        }
        String soql =
                "SELECT %1$s FROM %2$s ORDER BY %1$s DESC LIMIT 1"
                        .formatted(STAMP, described.object());
        JsonNode found = rest(soql, scope(Changes.Rows.CHANGED)).path("records");
        return found.isEmpty()
                ? null
                : ObjectField.instant(found.get(0).path(STAMP).asString()).toString();
    }

    private JsonNode rest(String soql, QueryScope scope) throws IOException {
        return calls.json(OrgCall.get("/" + scope.word() + "?q=" + OrgCall.encoded(soql)));
    }

    private QueryScope scope(Changes.Rows which) {
        return which == Changes.Rows.CHANGED && described.has(DELETED)
                ? QueryScope.WITH_DELETED
                : QueryScope.LIVE;
    }

    /** Of changed ones with their last field saying whether they are deleted. */
    private String soql(Changes.Rows which) {
        String names = String.join(", ", ObjectFields.names(fields));
        return which == Changes.Rows.ALL
                ? "SELECT %s FROM %s".formatted(names, described.object())
                : "SELECT %s, %s FROM %s WHERE %s >= %s"
                        .formatted(names, DELETED, described.object(), STAMP, from());
    }

    @Override
    public TableSchema schema() {
        return new TableSchema(fields.stream().map(ObjectField::column).toList(), List.of("Id"));
    }

    @Override
    public Changes changes() {
        return changes;
    }

    @Override
    public boolean isResumed() {
        return isResumed;
    }

    @Override
    public void rows(Changes.Rows which, RowSink sink) throws IOException {
        String soql = soql(which);
        List<String> columns = new ArrayList<>(ObjectFields.names(fields));
        if (which == Changes.Rows.CHANGED) {
            columns.add(DELETED);
        }
        RowFiller filler = new RowFiller(schema().columns(), columns, sink);
        if (resume != null && soql.equals(resume.soql())) {
            QueryPosition from = resume;
            resume = null; // What is read once more is read from its first row.
            new BulkQuery(calls).read(from, columns, filler.telling());
        } else {
            read(soql, scope(which), columns, filler, filler.telling());
        }
        areAllRead |= which == Changes.Rows.ALL;
    }

    @Override
    public void keys(RowSink sink) throws IOException {
        RowFiller filler = new RowFiller(schema().keyColumns(), List.of("Id"), sink);
        // Those that came since this view was opened are the next sync's.
        String until =
                newest != null && described.has(CREATED)
                        ? " WHERE %s < %s".formatted(CREATED, newest)
                        : "";
        String soql = "SELECT Id FROM " + described.object() + until;
        read(soql, QueryScope.LIVE, List.of("Id"), filler, filler);
        areKeysRead = true;
    }

    /** One REST call where its answer has all rows, else a job. */
    private void read(
            String soql,
            QueryScope scope,
            List<String> columns,
            RowFiller filler,
            BulkQuery.Sink sink)
            throws IOException {
        if (soql.length() <= LONGEST_REST_QUERY) {
            JsonNode answer = rest(soql, scope);
            JsonNode records = answer.path("records");
            if (answer.path("done").asBoolean(false)
                    && records.size() == answer.path("totalSize").asInt(0)) {
                for (JsonNode record : records) {
                    filler.row(values(record, columns));
                }
                filler.flush();
                return;
            }
        }
        BulkQuery bulk = new BulkQuery(calls);
        String job = bulk.start(soql, scope);
        bulk.read(QueryPosition.start(job, soql, scope, newest), columns, sink);
    }

    private static List<String> values(JsonNode record, List<String> columns) {
        List<String> values = new ArrayList<>(columns.size());
        for (String column : columns) {
            JsonNode value = record.path(column);
            values.add(value.isNull() || value.isMissingNode() ? "" : value.asString());
        }
        return values;
    }

    @Override
    public JsonNode position() {
        long keysAt =
                since == null || areKeysRead || areAllRead
                        ? calls.waits().clock().wallMillis()
                        : since.keysAtMillis();
        String stamp = newest != null ? newest : since == null ? null : since.newest();
        return Json.tree(new SalesforcePosition(org, stamp, types(), keysAt));
    }

    @Override
    public void close() {
        // Jobs stay for 7 days, so that a sync that is cut off before its rows are kept can go on.
    }

    /** Fills batches with rows of texts, and gives them on. */
    private static final class RowFiller implements BulkQuery.Sink {
        private final RowBatch batch;
        private final List<String> columns;
        private final int width;
        private final RowSink sink;

        RowFiller(
                List<dev.medley.connect.table.Column> schema, List<String> columns, RowSink sink) {
            this.batch = new RowBatch(schema, RowBatch.USUAL_CAPACITY);
            this.columns = columns;
            this.width = schema.size();
            this.sink = sink;
        }

        @Override
        public void row(List<String> values) throws IOException {
            int row = batch.add();
            for (int i = 0; i < width; i++) {
                ObjectField.set(batch.column(i), row, values.get(i), columns.get(i));
            }
            if (columns.size() > width && values.get(width).equals("true")) {
                batch.setDeleted(row);
            }
            if (batch.isFull()) {
                flush();
            }
        }

        void flush() throws IOException {
            if (batch.rows() > 0) {
                sink.accept(batch);
                batch.clear();
            }
        }

        @Override
        public void read(QueryPosition position) throws IOException {
            flush();
        }

        /** The same, and the sink hears from where it could go on. */
        BulkQuery.Sink telling() {
            return new BulkQuery.Sink() {
                @Override
                public void row(List<String> values) throws IOException {
                    RowFiller.this.row(values);
                }

                @Override
                public void read(QueryPosition position) throws IOException {
                    flush();
                    sink.resumable(Json.tree(position));
                }
            };
        }
    }
}

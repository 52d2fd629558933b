package dev.medley.connect.salesforce;

import dev.medley.base.Json;
import dev.medley.connect.salesforce.call.ObjectField;
import dev.medley.connect.salesforce.call.OrgCall;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * Reads the records of queries into batches of rows: by one REST call where its answer has all of
 * them, else by a job of Bulk 2.0.
 *
 * <p>Thread: one.
 */
final class RecordReader {
    /** Longer ones do not fit the address of a REST call. */
    static final int LONGEST_REST_QUERY = 8_000;

    private final SalesforceCalls calls;
    private final List<Column> schema;
    private final List<String> fields;
    private final RowSink sink;
    private final RowBatch batch;
    private final Consumer<String> seen;

    /**
     * Reads nothing yet.
     *
     * @param schema what rows have
     * @param fields of the query, in its order; one more than rows have says what is deleted
     * @param seen hears the id of each record
     */
    RecordReader(
            SalesforceCalls calls,
            List<Column> schema,
            List<String> fields,
            RowSink sink,
            Consumer<String> seen) {
        this.calls = calls;
        this.schema = List.copyOf(schema);
        this.fields = List.copyOf(fields);
        this.sink = sink;
        this.batch = new RowBatch(schema, RowBatch.USUAL_CAPACITY);
        this.seen = seen;
    }

    /** Whether the sink hears from where it could go on. */
    enum Resume {
        TOLD,
        UNTOLD
    }

    /** Reads all records of a query; {@code start} says what goes with its place. */
    void read(QueryPosition start, Resume resume) throws IOException {
        if (start.soql().length() <= LONGEST_REST_QUERY && isReadByRest(start)) {
            return;
        }
        BulkQuery bulk = new BulkQuery(calls);
        goOn(start.of(bulk.start(start.soql(), start.scope())), resume);
    }

    private boolean isReadByRest(QueryPosition start) throws IOException {
        String path = "/" + start.scope().word() + "?q=" + OrgCall.encoded(start.soql());
        JsonNode answer = calls.json(OrgCall.get(path));
        JsonNode records = answer.path("records");
        if (!answer.path("done").asBoolean(false)
                || records.size() != answer.path("totalSize").asInt(0)) {
            return false;
        }
        for (JsonNode record : records) {
            row(values(record));
        }
        flush();
        return true;
    }

    private List<String> values(JsonNode record) {
        List<String> values = new ArrayList<>(fields.size());
        for (String field : fields) {
            JsonNode value = record.path(field);
            values.add(value.isNull() || value.isMissingNode() ? "" : value.asString());
        }
        return values;
    }

    /** Reads what is left of a job's result. */
    void goOn(QueryPosition from, Resume resume) throws IOException {
        new BulkQuery(calls)
                .read(
                        from,
                        fields,
                        new BulkQuery.Sink() {
                            @Override
                            public void row(List<String> values) throws IOException {
                                RecordReader.this.row(values);
                            }

                            @Override
                            public void read(QueryPosition position) throws IOException {
                                flush();
                                if (resume == Resume.TOLD) {
                                    sink.resumable(Json.tree(position));
                                }
                            }
                        });
    }

    private void row(List<String> values) throws IOException {
        int row = batch.add();
        for (int i = 0; i < schema.size(); i++) {
            ObjectField.set(batch.column(i), row, values.get(i), fields.get(i));
        }
        if (fields.size() > schema.size() && values.get(schema.size()).equals("true")) {
            batch.setDeleted(row);
        }
        seen.accept(values.get(0));
        if (batch.isFull()) {
            flush();
        }
    }

    /** Says that a record is gone, of which nothing else is known. */
    void gone(String id) throws IOException {
        int row = batch.add();
        ObjectField.set(batch.column(0), row, id, fields.get(0));
        batch.setDeleted(row);
        if (batch.isFull()) {
            flush();
        }
    }

    /** Gives on what was read. */
    void flush() throws IOException {
        if (batch.rows() > 0) {
            sink.accept(batch);
            batch.clear();
        }
    }
}

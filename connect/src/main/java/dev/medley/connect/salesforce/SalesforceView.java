package dev.medley.connect.salesforce;

import dev.medley.base.Json;
import dev.medley.connect.salesforce.RecordReader.Resume;
import dev.medley.connect.salesforce.call.ObjectField;
import dev.medley.connect.salesforce.call.ObjectFields;
import dev.medley.connect.salesforce.call.OrgCall;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.connect.salesforce.event.NewestRecord;
import dev.medley.connect.salesforce.event.RecordFate;
import dev.medley.connect.salesforce.event.ReplayPosition;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.RowSink;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSchema;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shows an object as it is while it is read: few records by one REST call, more by a job of Bulk
 * 2.0. Which ones, its {@link ViewPlanner} says when that is asked for first; events are read then.
 *
 * <p>Thread: one.
 */
final class SalesforceView implements TableView {
    static final String STAMP = "SystemModstamp";
    static final String DELETED = "IsDeleted";
    private static final String CREATED = "CreatedDate";

    private final SalesforceCalls calls;
    private final SalesforceTable table;
    private final ObjectFields described;
    private final List<ObjectField> fields;
    private final String org;
    private final @Nullable SalesforcePosition since;
    private final @Nullable QueryPosition offered;
    private final @Nullable NewestRecord newest;
    private @Nullable SyncPlan plan;
    private @Nullable QueryPosition resumed;
    private @Nullable QueryPosition resume;
    private @Nullable ReplayPosition events;
    private boolean areKeysRead;
    private boolean areAllRead;

    private SalesforceView(
            SalesforceCalls calls,
            SalesforceTable table,
            ObjectFields described,
            @Nullable SalesforcePosition since,
            @Nullable QueryPosition offered)
            throws IOException {
        this.calls = calls;
        this.table = table;
        this.described = described;
        this.fields = described.columns(table.fields());
        this.since = since;
        this.offered = offered;
        this.org = calls.org();
        this.newest = newestRecord();
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
            return json == null ? Optional.empty() : Optional.of(Json.bindWhole(whole(json), type));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** One that was written before there were events has none. */
    private static JsonNode whole(JsonNode json) {
        return json instanceof ObjectNode object && !object.has("events")
                ? object.deepCopy().putNull("events")
                : json;
    }

    private @Nullable NewestRecord newestRecord() throws IOException {
        if (!described.has(STAMP)) {
            return null;
        }
        String soql =
                "SELECT Id, %1$s FROM %2$s ORDER BY %1$s DESC LIMIT 1"
                        .formatted(STAMP, described.object());
        String path = "/" + scope(Changes.Rows.CHANGED).word() + "?q=" + OrgCall.encoded(soql);
        JsonNode found = calls.json(OrgCall.get(path)).path("records");
        return found.isEmpty()
                ? null
                : new NewestRecord(
                        found.get(0).path("Id").asString(""),
                        ObjectField.instant(found.get(0).path(STAMP).asString()).toString());
    }

    private SyncPlan plan() throws IOException {
        SyncPlan known = plan;
        if (known != null) {
            return known;
        }
        ViewPlanner planner = new ViewPlanner(calls, table, described, org, since);
        SyncPlan made = planner.plan(newest, types());
        boolean isAsOffered =
                offered != null
                        && made.fates().isEmpty()
                        && made.way().usesStamps()
                        && offered.soql().equals(soql(made.changes().rows()))
                        && new BulkQuery(calls).exists(offered.job());
        if (isAsOffered) {
            resumed = offered;
            resume = offered;
        } else {
            made = planner.joined(made, newest);
        }
        // What changed after a job began is told behind the place that was before it.
        events = resumed != null ? resumed.events() : made.events();
        plan = made;
        return made;
    }

    private List<String> types() {
        return fields.stream().map(field -> field.name() + ":" + field.type()).toList();
    }

    private QueryScope scope(Changes.Rows which) {
        return which == Changes.Rows.CHANGED && described.has(DELETED)
                ? QueryScope.WITH_DELETED
                : QueryScope.LIVE;
    }

    /** Of changed ones with their last field saying whether they are deleted. */
    private String soql(Changes.Rows which) {
        String names = String.join(", ", ObjectFields.names(fields));
        return which == Changes.Rows.ALL || since == null
                ? "SELECT %s FROM %s".formatted(names, described.object())
                : "SELECT %s, %s FROM %s WHERE %s >= %s"
                        .formatted(
                                names,
                                DELETED,
                                described.object(),
                                STAMP,
                                ViewPlanner.from(since, table));
    }

    @Override
    public TableSchema schema() {
        return new TableSchema(fields.stream().map(ObjectField::column).toList(), List.of("Id"));
    }

    @Override
    public Changes changes() throws IOException {
        return plan().changes();
    }

    @Override
    public boolean isResumed() throws IOException {
        SyncPlan unused = plan();
        return resumed != null;
    }

    @Override
    public void rows(Changes.Rows which, RowSink sink) throws IOException {
        if (which == Changes.Rows.ALL) {
            read(reader(which, sink, id -> {}), which, Resume.TOLD);
            areAllRead = true;
            return;
        }
        SyncPlan now = plan();
        Map<String, RecordFate> left = new HashMap<>(now.fates());
        if (now.way().usesStamps()) {
            // After a cut nobody knows which ones of events came by their stamp.
            Resume resumable = left.isEmpty() ? Resume.TOLD : Resume.UNTOLD;
            read(reader(which, sink, left::remove), which, resumable);
        }
        ToldRecords told = new ToldRecords(described, ObjectFields.names(fields));
        told.read(reader(which, sink, left::remove), left);
        if (events != null) {
            events = told.owing(events, left, calls.waits().clock().wallMillis());
        }
    }

    private RecordReader reader(Changes.Rows which, RowSink sink, Consumer<String> seen) {
        List<String> names = new ArrayList<>(ObjectFields.names(fields));
        if (which == Changes.Rows.CHANGED) {
            names.add(DELETED);
        }
        return new RecordReader(calls, schema().columns(), names, sink, seen);
    }

    private void read(RecordReader reader, Changes.Rows which, Resume resumable)
            throws IOException {
        String soql = soql(which);
        QueryPosition from = resume;
        resume = null; // What is read once more is read from its first row.
        if (from != null && soql.equals(from.soql())) {
            reader.goOn(from, resumable);
        } else {
            reader.read(QueryPosition.of(soql, scope(which), stamp(), events), resumable);
        }
    }

    /** Of the newest record before any row is read. */
    private @Nullable String stamp() {
        return resumed != null ? resumed.newest() : newest == null ? null : newest.stamp();
    }

    @Override
    public void keys(RowSink sink) throws IOException {
        List<Column> key = schema().keyColumns();
        RecordReader reader = new RecordReader(calls, key, List.of("Id"), sink, id -> {});
        // Those that came since this view was opened are the next sync's.
        String last = latest(stamp(), since == null ? null : since.newest());
        String until =
                last != null && described.has(CREATED)
                        ? " WHERE %s < %s".formatted(CREATED, last)
                        : "";
        String soql = "SELECT Id FROM " + described.object() + until;
        reader.read(QueryPosition.of(soql, QueryScope.LIVE, stamp(), null), Resume.UNTOLD);
        areKeysRead = true;
    }

    /** Where the newest record was purged, the one before it is no newer than what was read. */
    private static @Nullable String latest(@Nullable String now, @Nullable String before) {
        if (now == null || before == null) {
            return now;
        }
        return Instant.parse(now).isBefore(Instant.parse(before)) ? before : now;
    }

    @Override
    public JsonNode position() {
        boolean isAnew = since == null || areKeysRead || areAllRead;
        long keysAt =
                since == null || isAnew ? calls.waits().clock().wallMillis() : since.keysAtMillis();
        boolean areStampsRead = isAnew || plan == null || plan.way().usesStamps();
        String before = since == null ? null : since.newest();
        String stamp = areStampsRead && stamp() != null ? stamp() : before;
        return Json.tree(new SalesforcePosition(org, stamp, types(), keysAt, events));
    }

    @Override
    public void close() {
        // Jobs stay for 7 days, so that a sync that is cut off before its rows are kept can go on.
    }
}

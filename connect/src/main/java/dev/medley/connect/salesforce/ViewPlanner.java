package dev.medley.connect.salesforce;

import dev.medley.connect.salesforce.SyncPlan.Way;
import dev.medley.connect.salesforce.call.ObjectFields;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.connect.salesforce.event.ChangeEventOptions;
import dev.medley.connect.salesforce.event.ChangeEvents;
import dev.medley.connect.salesforce.event.ChangeNews;
import dev.medley.connect.salesforce.event.ChangeNews.Reach;
import dev.medley.connect.salesforce.event.NewestRecord;
import dev.medley.connect.salesforce.event.ReplayPosition;
import dev.medley.connect.table.Changes;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which records a sync reads: all, those of which change events told, or those whose stamp
 * moved; the latter, too, whenever all ids are compared, so that what raises no event is found
 * then.
 *
 * <p>Thread: one.
 */
final class ViewPlanner {
    private final SalesforceCalls calls;
    private final SalesforceTable table;
    private final ObjectFields described;
    private final String org;
    private final @Nullable SalesforcePosition since;
    private boolean isToJoin;

    ViewPlanner(
            SalesforceCalls calls,
            SalesforceTable table,
            ObjectFields described,
            String org,
            @Nullable SalesforcePosition since) {
        this.calls = calls;
        this.table = table;
        this.described = described;
        this.org = org;
        this.since = since;
    }

    /** From which stamp on records are read. */
    static Instant from(SalesforcePosition since, SalesforceTable table) {
        String stamp = since.newest() == null ? "" : since.newest();
        return Instant.parse(stamp).minus(table.overlap());
    }

    /** Reads events where there are any; {@code newest} was seen before. */
    SyncPlan plan(@Nullable NewestRecord newest, List<String> types) throws IOException {
        Changes usual = byStamps(types);
        ReplayPosition last = since == null ? null : since.events();
        ChangeEventOptions options = table.events();
        boolean isAll = usual.rows() == Changes.Rows.ALL;
        if (options == null || isAll || last == null) {
            isToJoin = options != null;
            return isAll
                    ? SyncPlan.all(usual.why(), null)
                    : new SyncPlan(usual, Way.BY_STAMPS, Map.of(), null);
        }
        try (ChangeEvents events = new ChangeEvents(calls, described.object(), options)) {
            return by(events.since(last, newest), usual);
        }
    }

    private SyncPlan by(ChangeNews news, Changes usual) {
        boolean areKeysDue = usual.deletes() == Changes.Deletes.BY_KEYS;
        String both = news.why() + "; " + usual.why();
        if (news.reach() == Reach.ALL_RECORDS) {
            isToJoin = true;
            return SyncPlan.all(news.why(), null);
        }
        if (news.reach() == Reach.TOLD && !areKeysDue) {
            Changes told = new Changes(Changes.Rows.CHANGED, usual.deletes(), news.why());
            return new SyncPlan(told, Way.BY_EVENTS, news.fates(), news.position());
        }
        return new SyncPlan(
                new Changes(Changes.Rows.CHANGED, usual.deletes(), both),
                news.reach() == Reach.NO_EVENTS ? Way.BY_STAMPS : Way.BY_BOTH,
                news.fates(),
                news.position());
    }

    /** The same plan, with the place where events stand now if it is to have one. */
    SyncPlan joined(SyncPlan plan, @Nullable NewestRecord newest) throws IOException {
        ChangeEventOptions options = table.events();
        if (!isToJoin || options == null) {
            return plan;
        }
        try (ChangeEvents events = new ChangeEvents(calls, described.object(), options)) {
            ChangeNews news = events.tip(newest);
            Changes changes = plan.changes();
            Changes said =
                    new Changes(
                            changes.rows(),
                            changes.deletes(),
                            news.reach() == Reach.TOLD
                                    ? changes.why()
                                    : changes.why() + "; " + news.why());
            return new SyncPlan(said, plan.way(), plan.fates(), news.position());
        }
    }

    private Changes byStamps(List<String> types) {
        if (since == null) {
            return Changes.all("the first sync reads all records" + leftOut());
        }
        if (!since.org().equals(org)) {
            return Changes.all("it is the org %s, no longer %s".formatted(org, since.org()));
        }
        if (!described.has(SalesforceView.STAMP) || !described.has(SalesforceView.DELETED)) {
            return Changes.all("%s keeps no stamps of changes".formatted(described.object()));
        }
        if (since.newest() == null) {
            return Changes.all("there was no record last time");
        }
        if (!since.fields().equals(types)) {
            // A field that is new here may have had values for long, and moves no stamp.
            return Changes.all("the fields changed since the last sync, so all records are read");
        }
        long ageMillis = calls.waits().clock().wallMillis() - since.keysAtMillis();
        boolean areDue = ageMillis >= table.keysEvery().toMillis();
        return new Changes(
                Changes.Rows.CHANGED,
                areDue ? Changes.Deletes.BY_KEYS : Changes.Deletes.AMONG_ROWS,
                "records with a %s from %s on%s"
                        .formatted(
                                SalesforceView.STAMP,
                                from(since, table),
                                areDue ? ", and all ids" : ""));
    }

    private String leftOut() {
        String names = table.fields().isEmpty() ? described.leftOut() : "";
        return names.isEmpty() ? "" : "; left out: " + names;
    }
}

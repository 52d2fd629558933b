package dev.medley.connect.salesforce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.connect.salesforce.event.ChangeEventOptions;
import dev.medley.connect.salesforce.fake.FakeEventFault;
import dev.medley.connect.salesforce.fake.FakeEvents.Signs;
import dev.medley.connect.salesforce.fake.FakeFault;
import dev.medley.connect.salesforce.fake.FakeField;
import dev.medley.connect.salesforce.fake.FakeTable;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.Synced;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Change events tell which records changed or went; whatever is wrong with them loses nothing. */
@Tag("real")
class SalesforceEventsTest {
    @TempDir Path folder;
    private GivenOrg org;
    private FakeTable accounts;
    private Synced synced;

    @BeforeEach
    void start() {
        org = new GivenOrg(folder);
        org.fake.org.events.select("Account");
        accounts = org.fake.org.table("Account");
        synced = new Synced(folder.resolve("copy"));
        for (int i = 0; i < 20; i++) {
            accounts.insert(Map.of("Name", "N" + i));
        }
        org.fake.org.advance(7_200); // Beyond the overlap, so that stamps alone bring nothing anew.
        accounts.insert(Map.of("Name", "last"));
        org.fake.org.advance(7_200);
    }

    @AfterEach
    void stop() {
        org.close();
    }

    private SalesforceTable table(ChangeEventOptions options) {
        return new SalesforceTable(
                "Account", List.of("Name"), Duration.ofMinutes(15), Duration.ofDays(1), options);
    }

    private ChangeEventOptions options() {
        return ChangeEventOptions.at(org.fake.eventsUrl());
    }

    private SyncReport sync() throws IOException {
        return synced.sync(org.source(table(options())));
    }

    private String id(int index) {
        return String.valueOf(accounts.live().get(index).get("Id"));
    }

    private void shouldBeTheSame() throws IOException {
        List<String> there = new ArrayList<>();
        for (Map<String, @Nullable String> row : accounts.live()) {
            there.add(row.get("Id") + " " + row.get("Name"));
        }
        assertThat(synced.rows()).containsExactlyInAnyOrderElementsOf(there);
    }

    @Test
    void shouldReadAllFirstAndThenWhatEventsTold() throws IOException {
        SyncReport first = sync();
        assertThat(first.readAll()).isTrue();
        assertThat(first.rowsRead()).isEqualTo(21);
        accounts.update(id(3), Map.of("Name", "changed"));
        accounts.delete(id(4));
        accounts.purge(id(5));
        accounts.insert(Map.of("Name", "new"));
        SyncReport second = sync();
        assertThat(second.readAll()).as(second.why()).isFalse();
        assertThat(second.why())
                .isEqualTo("4 records of which 4 events of /data/AccountChangeEvent told");
        assertThat(second.rowsRead()).isEqualTo(4);
        assertThat(second.seesDeletes()).isTrue();
        shouldBeTheSame();
        SyncReport third = sync();
        assertThat(third.rowsRead()).isZero();
    }

    /** A first sync, and then changes of all kinds. */
    private void changeAfterASync() throws IOException {
        sync();
        changeAll();
    }

    private void changeAll() {
        accounts.update(id(3), Map.of("Name", "changed"));
        accounts.delete(id(4));
        accounts.purge(id(5));
        accounts.insert(Map.of("Name", "new"));
    }

    private void onFirst(String method, FakeEventFault fault) {
        boolean[] isDone = {false};
        org.fake.org.events.calls =
                (called, number) -> {
                    boolean isIt = called.equals(method) && !isDone[0];
                    isDone[0] |= isIt;
                    return isIt ? fault : FakeEventFault.NONE;
                };
    }

    @Test
    void shouldComeThroughPassingTroubleOfEachCall() throws IOException {
        sync();
        org.fake.org.events.mostAMessage = 1;
        List<FakeEventFault> ofEach =
                List.of(FakeEventFault.UNAVAILABLE, FakeEventFault.UNAUTHENTICATED);
        Map<String, List<FakeEventFault>> faults =
                Map.of(
                        "GetTopic",
                        ofEach,
                        "GetSchema",
                        ofEach,
                        "Subscribe",
                        List.of(
                                FakeEventFault.UNAVAILABLE,
                                FakeEventFault.UNAUTHENTICATED,
                                FakeEventFault.CUT,
                                FakeEventFault.TWICE));
        for (String method : faults.keySet()) {
            for (FakeEventFault fault : faults.getOrDefault(method, List.of())) {
                accounts.update(id(1), Map.of("Name", method + fault));
                accounts.insert(Map.of("Name", "more"));
                accounts.delete(id(0));
                onFirst(method, fault);
                SyncReport report = sync();
                assertThat(report.why()).startsWith("3 records of which");
                shouldBeTheSame();
            }
        }
    }

    @Test
    void shouldEndWithOneMessageWhereTroubleStays() throws IOException {
        changeAfterASync();
        Map<FakeEventFault, String> said =
                Map.of(
                        FakeEventFault.UNAVAILABLE, "gRPC status 14 (sfdc.platform.eventbus",
                        FakeEventFault.UNAUTHENTICATED, "and then takes no token",
                        FakeEventFault.HUGE_TEXT, "bytes where 1 are left",
                        FakeEventFault.HUGE_MESSAGE, "a message of 2,000,000,000 bytes",
                        FakeEventFault.NO_SCHEMA, "its schema is none of Avro");
        for (Map.Entry<FakeEventFault, String> one : said.entrySet()) {
            org.fake.org.events.calls = (method, number) -> one.getKey();
            assertThatThrownBy(this::sync)
                    .as(one.getKey().name())
                    .hasMessageContaining(one.getValue())
                    .hasMessageNotContaining("00D000000000001!AQ");
        }
        org.fake.org.events.calls = (method, number) -> FakeEventFault.DAMAGED;
        assertThatThrownBy(this::sync)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("an event of /data/AccountChangeEvent from http://127.0.0.1:")
                .hasMessageContaining("cannot be read");
        org.fake.org.events.calls = (method, number) -> FakeEventFault.NONE;
        assertThat(sync().why()).startsWith("4 records of which 4 events");
        shouldBeTheSame();
    }

    @Test
    void shouldNameWhomItWaitsFor() throws IOException {
        changeAfterASync();
        ChangeEventOptions hasty =
                new ChangeEventOptions(
                        org.fake.eventsUrl(),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(1),
                        Duration.ofHours(24));
        org.fake.org.events.calls =
                (method, number) ->
                        method.equals("Subscribe") ? FakeEventFault.SILENT : FakeEventFault.NONE;
        assertThatThrownBy(() -> synced.sync(org.source(table(hasty))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "no sign of Salesforce's /data/AccountChangeEvent at http://127")
                .hasMessageContaining("within 1 s");
        org.fake.org.events.calls = (method, number) -> FakeEventFault.NONE;
        assertThat(sync().readAll()).isFalse();
        shouldBeTheSame();
    }

    @Test
    void shouldNotWaitForASignWhereTheNewestChangeIsTold() throws IOException {
        changeAfterASync();
        org.fake.org.events.signs = Signs.NEVER;
        ChangeEventOptions quiet =
                new ChangeEventOptions(
                        org.fake.eventsUrl(),
                        Duration.ofMillis(200),
                        Duration.ofMinutes(5),
                        Duration.ofHours(24));
        assertThat(synced.sync(org.source(table(quiet))).why()).startsWith("4 records of which 4");
        shouldBeTheSame();
        assertThat(synced.sync(org.source(table(quiet))).rowsRead()).isZero();
    }

    @Test
    void shouldEndThoughEventsComeAllTheTime() throws IOException {
        sync();
        org.fake.org.events.signs = Signs.NEVER;
        accounts.update(id(3), Map.of("Name", "changed"));
        long later = org.time.wallMillis() + 3_600_000;
        org.fake.org.events.tell("Account", "UPDATE", List.of(id(2)), later);
        org.fake.org.events.mostAMessage = 1;
        ChangeEventOptions patient =
                new ChangeEventOptions(
                        org.fake.eventsUrl(),
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(5),
                        Duration.ofHours(24));
        assertThat(synced.sync(org.source(table(patient))).rowsRead()).isEqualTo(2);
        shouldBeTheSame();
    }

    @Test
    void shouldRenewAPlaceBeforeSalesforceForgetsIt() throws IOException {
        sync();
        org.fake.org.define("Other__c", "a01", FakeField.of("Name", "string"));
        org.fake.org.events.select("Other__c");
        org.fake.org.table("Other__c").insert(Map.of("Name", "moves the stream's end"));
        ChangeEventOptions old =
                new ChangeEventOptions(
                        org.fake.eventsUrl(),
                        Duration.ofMillis(1),
                        Duration.ofMinutes(5),
                        Duration.ZERO);
        synced.sync(org.source(table(old)));
        org.fake.org.events.forget();
        accounts.update(id(3), Map.of("Name", "changed"));
        assertThat(sync().readAll()).isFalse();
        shouldBeTheSame();
    }

    @Test
    void shouldReadAllRecordsWhereEventsTellTooLittle() throws IOException {
        sync();
        List<Map.Entry<Runnable, String>> less =
                List.of(
                        Map.entry(() -> org.fake.org.events.forget(), "keeps for 72 hours, so all"),
                        Map.entry(() -> tell("GAP_OVERFLOW", "000000000000000AAA"), "GAP_OVERFLOW"),
                        Map.entry(() -> tell("UPDATE", "001*"), "all records changed"));
        for (Map.Entry<Runnable, String> one : less) {
            changeAll();
            one.getKey().run();
            SyncReport report = sync();
            assertThat(report.readAll()).isTrue();
            assertThat(report.why()).contains(one.getValue());
            shouldBeTheSame();
            accounts.update(id(2), Map.of("Name", "and then"));
            assertThat(sync().why()).startsWith("1 records of which 1 events");
            shouldBeTheSame();
        }
    }

    private void tell(String type, String id) {
        org.fake.org.events.tell("Account", type, List.of(id), 0);
    }

    @Test
    void shouldTakeGapsAsChanges() throws IOException {
        sync();
        org.fake.org.events.deselect("Account"); // It tells what the test tells.
        for (String type : List.of("GAP_CREATE", "GAP_UPDATE", "GAP_UNDELETE")) {
            accounts.update(id(3), Map.of("Name", type));
            org.fake.org.events.select("Account");
            tell(type, id(3));
            assertThat(sync().rowsRead()).isEqualTo(1);
            shouldBeTheSame();
            org.fake.org.events.deselect("Account");
        }
        String gone = id(4);
        accounts.delete(gone);
        org.fake.org.events.select("Account");
        tell("GAP_DELETE", gone);
        assertThat(sync().rowsRead()).isEqualTo(1);
        shouldBeTheSame();
        accounts.undelete(gone);
        assertThat(sync().rowsRead()).isEqualTo(1);
        shouldBeTheSame();
    }

    @Test
    void shouldGoByStampsWhereAnObjectHasNoEvents() throws IOException {
        org.fake.org.events.deselect("Account");
        SyncReport first = sync();
        assertThat(first.why())
                .contains("the first sync reads all records")
                .contains("Salesforce has no /data/AccountChangeEvent: select Account in Setup");
        accounts.update(id(3), Map.of("Name", "changed"));
        SyncReport second = sync();
        assertThat(second.readAll()).isFalse();
        assertThat(second.why())
                .contains("SystemModstamp from")
                .contains("select Account in Setup");
        shouldBeTheSame();
        org.fake.org.events.select("Account");
        accounts.update(id(3), Map.of("Name", "again"));
        assertThat(sync().why()).startsWith("records with a SystemModstamp");
        shouldBeTheSame();
        accounts.update(id(3), Map.of("Name", "and again"));
        assertThat(sync().why()).startsWith("1 records of which 1 events");
        shouldBeTheSame();
    }

    @Test
    void shouldReadByStampsTooWhatNoEventTold() throws IOException {
        sync();
        accounts.update(id(3), Map.of("Name", "told"));
        org.fake.org.events.hold();
        accounts.updateAt(id(7), Map.of("Name", "untold"), org.fake.org.now().plusSeconds(1));
        SyncReport report = sync();
        assertThat(report.readAll()).isFalse();
        assertThat(report.why())
                .contains(id(7) + " changed at")
                .contains("no event of /data/AccountChangeEvent told of it")
                .contains("; records with a SystemModstamp from");
        shouldBeTheSame();
        org.fake.org.events.release();
        assertThat(sync().why()).startsWith("1 records of which 1 events");
        shouldBeTheSame();
    }

    @Test
    void shouldAskAgainForARecordThatIsToldOfBeforeItIsSeen() throws IOException {
        sync();
        accounts.update(id(3), Map.of("Name", "changed"));
        String late = accounts.insert(Map.of("Name", "late"));
        org.fake.org.hidden = late::equals;
        assertThat(sync().rowsRead()).isEqualTo(1);
        assertThat(synced.rows()).hasSize(21);
        org.fake.org.hidden = id -> false;
        assertThat(sync().rowsRead()).isEqualTo(1);
        shouldBeTheSame();
        assertThat(sync().rowsRead()).isZero();
        String never = accounts.insert(Map.of("Name", "never"));
        org.fake.org.hidden = never::equals;
        sync();
        org.time.advanceWall(Duration.ofMinutes(61).toMillis());
        org.fake.switches.aheadSeconds = 3_660;
        sync();
        org.fake.org.hidden = id -> false;
        assertThat(sync().rowsRead()).isZero();
        assertThat(synced.rows()).hasSize(22);
    }

    @Test
    void shouldReadWhatRaisesNoEventWheneverIdsAreCompared() throws IOException {
        sync();
        org.fake.org.events.deselect("Account");
        accounts.update(id(3), Map.of("Name", "without an event"));
        org.fake.org.events.select("Account");
        org.fake.org.advance(1);
        accounts.update(id(4), Map.of("Name", "told"));
        assertThat(sync().rowsRead()).isEqualTo(1);
        org.time.advanceWall(Duration.ofDays(1).toMillis());
        org.fake.switches.aheadSeconds = 86_400;
        SyncReport report = sync();
        assertThat(report.why()).contains("events of").contains("and all ids");
        shouldBeTheSame();
    }

    @Test
    void shouldReadManyByTheirIdsInCallsAndEvenMoreInJobs() throws IOException {
        List<String> many =
                IntStream.range(0, 2_500)
                        .mapToObj(i -> accounts.insert(Map.of("Name", "M")))
                        .toList();
        sync();
        int before = org.fake.callCount();
        for (String id : many.subList(0, 1_000)) {
            accounts.update(id, Map.of("Name", "changed"));
        }
        assertThat(sync().rowsRead()).isEqualTo(1_000);
        assertThat(org.fake.callCount() - before).isBetween(4, 7);
        assertThat(org.fake.heard().subList(before, org.fake.callCount()))
                .noneMatch(call -> call.path().contains("/jobs/"))
                .allMatch(call -> call.path().length() < 16_000);
        for (String id : many) {
            accounts.update(id, Map.of("Name", "twice"));
        }
        assertThat(sync().rowsRead()).isEqualTo(2_500);
        assertThat(org.fake.jobs()).hasSizeBetween(1, 2);
        assertThat(synced.reconcile(org.source(table(options()))).isEqual()).isTrue();
    }

    @Test
    void shouldGoOnAfterACutOfTheRowsWithoutLosingEvents() throws IOException {
        changeAfterASync();
        org.fake.switches.calls =
                call -> call.path().contains("%27") ? FakeFault.CUT_BEFORE : FakeFault.NONE;
        assertThatThrownBy(this::sync).isInstanceOf(IOException.class);
        org.fake.switches.calls = call -> FakeFault.NONE;
        assertThat(sync().why()).startsWith("4 records of which 4");
        shouldBeTheSame();
    }

    @Test
    void shouldTakeThePlaceOfEventsFromBeforeAJobThatGoesOn() throws IOException {
        for (int i = 0; i < 3_000; i++) {
            accounts.insert(Map.of("Name", "M" + i));
        }
        org.fake.switches.mostRecordsAPage = 500;
        org.fake.switches.calls =
                call -> call.path().contains("locator=MTUwMA") ? FakeFault.LIMIT : FakeFault.NONE;
        assertThatThrownBy(this::sync).isInstanceOf(IOException.class);
        org.fake.switches.calls = call -> FakeFault.NONE;
        changeAll(); // The job does not see it.
        sync();
        assertThat(org.fake.jobs()).hasSize(1);
        assertThat(sync().readAll()).isFalse();
        assertThat(synced.reconcile(org.source(table(options()))).isEqual()).isTrue();
    }

    @Test
    void shouldReadAllOfAnotherOrg() throws IOException {
        changeAfterASync();
        org.fake.becomeOrg("00D000000000002AAA");
        assertThat(sync().why()).contains("it is the org 00D000000000002AAA");
        shouldBeTheSame();
        accounts.update(id(3), Map.of("Name", "there"));
        assertThat(sync().why()).startsWith("1 records of which 1");
        shouldBeTheSame();
    }

    @Test
    void shouldGoByStampsWhereTheDaysEventsAreUsedUp() throws IOException {
        changeAfterASync();
        org.fake.org.events.calls = (method, number) -> FakeEventFault.LIMIT;
        assertThat(sync().why()).contains("subscription.limit.exceeded");
        org.fake.org.events.calls = (method, number) -> FakeEventFault.NONE;
        assertThat(sync().why()).startsWith("4 records of which 4");
        shouldBeTheSame();
    }

    @Test
    void shouldSayThatNobodyIsThereOrNobodyKnowsWho() {
        Map<String, String> said =
                Map.of(
                        "http://127.0.0.1:1",
                        "http://127.0.0.1:1: the connection failed",
                        "https://" + org.fake.eventsPlace(),
                        "certification path",
                        org.fake.url(),
                        "the connection failed");
        said.forEach(
                (address, words) ->
                        assertThatThrownBy(
                                        () ->
                                                synced.sync(
                                                        org.source(
                                                                table(
                                                                        ChangeEventOptions.at(
                                                                                address)))))
                                .as(address)
                                .isInstanceOf(IOException.class)
                                .hasMessageContaining(words));
    }

    @Test
    void shouldNameAnAddressThatIsNone() {
        for (String wrong :
                List.of(
                        "http://pubsub.example.com:7443",
                        "https://u:p@x",
                        "true",
                        "ftp://x",
                        "h ttp")) {
            assertThatThrownBy(() -> ChangeEventOptions.at(wrong))
                    .isInstanceOf(dev.medley.base.ConfigException.class)
                    .hasMessageContaining("no address of the Pub/Sub API: say true");
        }
    }
}

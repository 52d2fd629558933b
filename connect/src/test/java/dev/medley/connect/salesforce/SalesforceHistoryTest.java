package dev.medley.connect.salesforce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.connect.salesforce.event.ChangeEventOptions;
import dev.medley.connect.salesforce.fake.FakeEventFault;
import dev.medley.connect.salesforce.fake.FakeEvents;
import dev.medley.connect.salesforce.fake.FakeFault;
import dev.medley.connect.salesforce.fake.FakeField;
import dev.medley.connect.salesforce.fake.FakeTable;
import dev.medley.connect.sync.HistoryLog;
import dev.medley.connect.sync.Synced;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lets an org live, syncs it between and during changes, cuts syncs off, and compares in the end.
 */
@Tag("property")
class SalesforceHistoryTest {
    private static final Duration OVERLAP = Duration.ofMinutes(15);

    @TempDir Path folder;

    static LongStream seeds() {
        long first = Long.getLong("medley.first", 0);
        return LongStream.range(first, first + Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldEndEqualToTheOrg(long seed) throws IOException {
        RandomGenerator random = Seeds.generator(seed);
        try (GivenOrg org = new GivenOrg(Files.createDirectories(folder.resolve("org")))) {
            FakeTable accounts = org.fake.org.table("Account");
            org.fake.switches.mostRecordsAPage = 5 + random.nextInt(20);
            org.fake.switches.restPage = random.nextInt(3) == 0 ? 1_000 : 8;
            SalesforceTable table =
                    new SalesforceTable(
                            "Account",
                            random.nextBoolean() ? List.of() : List.of("Name", "NumberOfEmployees"),
                            OVERLAP,
                            Duration.ofDays(random.nextInt(2)));
            Synced synced = new Synced(folder.resolve("copy"));
            for (int day = 0; day < 5; day++) {
                live(accounts, random, org);
                trouble(accounts, random, org);
                try {
                    synced.sync(org.source(table));
                } catch (IOException e) {
                    assertThat(e).hasMessageNotContaining(org.login().consumerKey());
                }
                org.fake.switches.calls = call -> FakeFault.NONE;
            }
            synced.sync(org.source(table)); // It may go on with a job of a sync that was cut off,
            synced.sync(org.source(table)); // which sees the org as it was then.
            assertThat(synced.rows()).hasSameSizeAs(accounts.live());
            shouldHoldAll(synced, accounts);
            HistoryLog.note("salesforce", seed, synced.reconcile(org.source(table)));
        }
    }

    /** A third of the others: {@link SalesforceEventsTest} has each kind of trouble by itself. */
    static LongStream someSeeds() {
        return seeds().filter(seed -> seed % 3 == 0);
    }

    @ParameterizedTest
    @MethodSource("someSeeds")
    void shouldEndEqualByEventsWhateverStampsSay(long seed) throws IOException {
        RandomGenerator random = Seeds.generator(seed);
        try (GivenOrg org = new GivenOrg(Files.createDirectories(folder.resolve("org")))) {
            FakeTable accounts = org.fake.org.table("Account");
            FakeEvents events = org.fake.org.events;
            events.select("Account");
            events.mostAMessage = 1 + random.nextInt(20);
            org.fake.switches.restPage = random.nextInt(3) == 0 ? 1_000 : 8;
            SalesforceTable table =
                    new SalesforceTable(
                            "Account",
                            List.of("Name", "NumberOfEmployees"),
                            Duration.ZERO,
                            Duration.ofDays(random.nextInt(4) == 0 ? 0 : 1),
                            ChangeEventOptions.at(org.fake.eventsUrl()));
            Synced synced = new Synced(folder.resolve("copy"));
            for (int day = 0; day < 3; day++) {
                for (int i = random.nextInt(40); i > 0; i--) {
                    changeAtAnyStamp(accounts, random, org);
                }
                trouble(accounts, random, org);
                eventTrouble(events, random);
                try {
                    synced.sync(org.source(table));
                } catch (IOException | ConfigException e) {
                    assertThat(e).hasMessageNotContaining("00D000000000001!AQ");
                }
                org.fake.switches.calls = call -> FakeFault.NONE;
                events.calls = (method, number) -> FakeEventFault.NONE;
            }
            events.release();
            synced.sync(org.source(table)); // It may go on with a job of a sync that was cut off,
            synced.sync(org.source(table)); // which sees the org as it was then.
            assertThat(synced.rows()).hasSameSizeAs(accounts.live());
            shouldHoldAll(synced, accounts);
            HistoryLog.note("events", seed, synced.reconcile(org.source(table)));
        }
    }

    /** No window of stamps would find all of these. */
    private static void changeAtAnyStamp(FakeTable accounts, RandomGenerator random, GivenOrg org) {
        List<Map<String, @Nullable String>> all = accounts.all();
        if (all.isEmpty() || random.nextInt(3) == 0) {
            change(accounts, random, org);
            return;
        }
        Map<String, @Nullable String> one = all.get(random.nextInt(all.size()));
        String id = String.valueOf(one.get("Id"));
        if ("true".equals(one.get("IsDeleted"))) {
            accounts.undelete(id);
        } else if (random.nextInt(4) == 0) {
            accounts.purge(id);
        } else {
            Instant made = Instant.parse(String.valueOf(one.get("CreatedDate")));
            long age = Duration.between(made, org.fake.org.now()).toSeconds();
            accounts.updateAt(
                    id,
                    Map.of("Name", "L" + random.nextInt(1_000_000)),
                    made.plusSeconds(random.nextLong(age + 1)));
        }
    }

    /** Calls for events fail, events come late, or are no longer there. */
    private static void eventTrouble(FakeEvents events, RandomGenerator random) {
        if (random.nextInt(3) == 0) {
            events.hold();
        } else if (random.nextInt(2) == 0) {
            events.release();
        }
        if (random.nextInt(6) == 0) {
            events.forget();
        }
        FakeEventFault[] faults = {
            FakeEventFault.NONE,
            FakeEventFault.CUT,
            FakeEventFault.TWICE,
            FakeEventFault.UNAVAILABLE,
            FakeEventFault.UNAUTHENTICATED,
            FakeEventFault.DAMAGED
        };
        RandomGenerator each = Seeds.generator(random.nextLong());
        events.calls =
                (method, number) -> {
                    synchronized (each) {
                        return each.nextInt(3) > 0
                                ? FakeEventFault.NONE
                                : faults[each.nextInt(faults.length)];
                    }
                };
    }

    private static void shouldHoldAll(Synced synced, FakeTable accounts) throws IOException {
        Map<String, String> found = new HashMap<>();
        for (String row : synced.rows()) {
            found.put(row.substring(0, 18), row);
        }
        for (Map<String, @Nullable String> record : accounts.live()) {
            assertThat(found.get(String.valueOf(record.get("Id"))))
                    .as(String.valueOf(record))
                    .contains(" " + record.get("Name") + " ");
        }
    }

    /** Inserts, updates and deletes, some with a stamp that is older than others seen. */
    private static void live(FakeTable accounts, RandomGenerator random, GivenOrg org) {
        for (int i = random.nextInt(40); i > 0; i--) {
            change(accounts, random, org);
        }
        if (random.nextInt(8) == 0) {
            accounts.addField(FakeField.of("New%d__c".formatted(random.nextInt(1_000)), "double"));
        }
    }

    private static void change(FakeTable accounts, RandomGenerator random, GivenOrg org) {
        if (random.nextInt(3) == 0) { // Two of three have the stamp of the one before.
            org.fake.org.advance(random.nextInt(2_000));
        }
        long late = random.nextInt(4) == 0 ? random.nextLong(OVERLAP.toSeconds()) : 0;
        Map<String, @Nullable String> values = new HashMap<>();
        values.put("Name", "N" + random.nextInt(1_000_000));
        values.put("NumberOfEmployees", Integer.toString(random.nextInt(100)));
        List<Map<String, @Nullable String>> all = accounts.live();
        int kind = random.nextInt(4);
        if (all.isEmpty() || kind < 2) {
            accounts.insertAt(values, org.fake.org.now().minusSeconds(late));
            return;
        }
        String id = String.valueOf(all.get(random.nextInt(all.size())).get("Id"));
        if (kind == 2) {
            accounts.update(id, values);
        } else {
            accounts.delete(id);
        }
    }

    /** Some syncs are cut off at a call; during some the org goes on living. */
    private static void trouble(FakeTable accounts, RandomGenerator random, GivenOrg org) {
        int first = org.fake.callCount();
        int at = 1 + random.nextInt(15);
        int kind = random.nextInt(3);
        RandomGenerator meanwhile = Seeds.generator(random.nextLong());
        org.fake.switches.calls =
                call -> {
                    int number = call.number() - first;
                    if (kind == 0 && number >= at) {
                        return FakeFault.CUT_BEFORE;
                    }
                    if (kind == 1 && number == at) {
                        synchronized (meanwhile) {
                            change(accounts, meanwhile, org);
                        }
                    }
                    return FakeFault.NONE;
                };
    }
}

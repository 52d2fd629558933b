package dev.medley.connect.salesforce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.connect.back.BackReport;
import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.BackRows;
import dev.medley.connect.back.BackTable;
import dev.medley.connect.back.DeadLetter;
import dev.medley.connect.back.WriteBack;
import dev.medley.connect.salesforce.fake.FakeFault;
import dev.medley.connect.salesforce.fake.FakeSwitches;
import dev.medley.connect.salesforce.fake.FakeTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class SalesforceDestinationTest {
    private static final BackTable SCORES =
            new BackTable("Score__c", "Key__c", List.of("Score__c", "Segment__c", "Account__c"));

    @TempDir Path folder;
    private GivenOrg org;
    private FakeTable scores;

    @BeforeEach
    void start() {
        org = new GivenOrg(folder);
        scores = org.fake.org.table("Score__c");
    }

    @AfterEach
    void stop() {
        org.close();
    }

    private WriteBack open(String state, BackTable table) throws IOException {
        SalesforceDestination destination =
                new SalesforceDestination(org.login(), table, org.budget(100), org.waits());
        return WriteBack.open(folder.resolve(state), destination, org.time);
    }

    private BackReport write(String state, List<BackRow> rows) throws IOException {
        try (WriteBack back = open(state, SCORES)) {
            return back.write(all(rows));
        }
    }

    private static BackRows all(List<BackRow> rows) {
        return taker -> {
            for (BackRow row : rows) {
                taker.row(row);
            }
        };
    }

    private static List<BackRow> rows(int count, int day) {
        List<BackRow> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(row("k" + i, i % 100 == 7 ? day : 0));
        }
        return rows;
    }

    private static BackRow row(String key, int score) {
        return new BackRow(key, Arrays.asList(Integer.toString(score), "A, \"" + key + "\"", null));
    }

    /** Each key once, with its values. */
    private void shouldHave(List<BackRow> rows) {
        Map<String, Map<String, @Nullable String>> found = new HashMap<>();
        for (Map<String, @Nullable String> record : scores.live()) {
            assertThat(found.put(String.valueOf(record.get("Key__c")), record))
                    .as("a duplicate of " + record.get("Key__c"))
                    .isNull();
        }
        assertThat(found).hasSameSizeAs(rows);
        for (BackRow row : rows) {
            Map<String, @Nullable String> record = found.get(row.key());
            assertThat(record).as(row.key()).isNotNull();
            assertThat(record.get("Score__c")).isEqualTo(row.values().get(0));
            assertThat(record.get("Segment__c")).isEqualTo(row.values().get(1));
        }
    }

    private long jobs() {
        return org.fake.jobs().size();
    }

    @Test
    void shouldSendOnlyWhatChanged() throws IOException {
        assertThat(write("s", rows(5_000, 0))).isEqualTo(new BackReport(5_000, 0, 5_000, 0));
        shouldHave(rows(5_000, 0));
        assertThat(jobs()).isEqualTo(1);
        int before = org.fake.callCount();
        assertThat(write("s", rows(5_000, 1))).isEqualTo(new BackReport(5_000, 4_950, 50, 0));
        shouldHave(rows(5_000, 1));
        // Login, describe and one call for 50 rows; all rows by REST would be 25 calls and those.
        assertThat(org.fake.callCount() - before).isLessThanOrEqualTo(3);
        before = org.fake.callCount();
        assertThat(write("s", rows(5_000, 1)).unchanged()).isEqualTo(5_000);
        assertThat(org.fake.callCount() - before).isLessThanOrEqualTo(2);
    }

    @Test
    void shouldSendAtMostATwentiethOfTheCallsOnADayOfFewChanges() throws IOException {
        write("s", rows(40_000, 0));
        long jobsBefore = jobs();
        int before = org.fake.callCount();
        write("s", rows(40_000, 1));
        shouldHave(rows(40_000, 1));
        assertThat(composite()).isEqualTo(2);
        assertThat(jobs()).isEqualTo(jobsBefore);
        int callsForAllByRest = 40_000 / 200;
        assertThat(org.fake.callCount() - before).isLessThanOrEqualTo(callsForAllByRest / 20);
    }

    private long composite() {
        return org.fake.heard().stream().filter(c -> c.path().contains("/composite/")).count();
    }

    @Test
    void shouldNeitherDoubleNorLoseARowWhereverItIsCutOff() throws IOException {
        write("first", rows(1, 0)); // The budget asks once a day what is left.
        for (int count : new int[] {5_000, 1_000}) {
            empty();
            int usual = callsOf("whole" + count, count);
            for (int cut : cuts(usual)) {
                for (FakeFault fault : List.of(FakeFault.CUT_BEFORE, FakeFault.CUT_AFTER)) {
                    empty();
                    String state = "cut-%d-%d-%s".formatted(count, cut, fault);
                    int first = org.fake.callCount();
                    org.fake.switches.calls =
                            call -> {
                                int number = call.number() - first;
                                return number < cut
                                        ? FakeFault.NONE
                                        : number == cut ? fault : FakeFault.CUT_BEFORE;
                            };
                    assertThatThrownBy(() -> write(state, rows(count, 0)))
                            .as(state)
                            .isInstanceOf(IOException.class);
                    org.fake.switches.calls = call -> FakeFault.NONE;
                    BackReport report = write(state, rows(count, 0));
                    assertThat(report.failed()).isZero();
                    shouldHave(rows(count, 0));
                    assertThat(write(state, rows(count, 0)).unchanged()).isEqualTo(count);
                }
            }
        }
    }

    private int callsOf(String state, int count) throws IOException {
        int before = org.fake.callCount();
        write(state, rows(count, 0));
        return org.fake.callCount() - before;
    }

    /** All calls with -Dmedley.cuts=all, else a few drawn from a seed. */
    private static Set<Integer> cuts(int calls) {
        Set<Integer> cuts = new TreeSet<>();
        boolean isAll = "all".equals(System.getProperty("medley.cuts"));
        RandomGenerator random = Seeds.generator(20261128, calls);
        for (int i = 1; i <= calls; i++) {
            if (isAll || random.nextInt(2) == 0) {
                cuts.add(i);
            }
        }
        return cuts;
    }

    private void empty() {
        scores.live().forEach(record -> scores.delete(String.valueOf(record.get("Id"))));
    }

    @Test
    void shouldWriteOnceWhereEveryAnswerIsLostOnce() throws IOException {
        for (FakeFault fault : List.of(FakeFault.CUT_AFTER, FakeFault.UNAVAILABLE_AFTER)) {
            for (int count : new int[] {5_000, 1_000}) {
                empty();
                Set<String> troubled = java.util.concurrent.ConcurrentHashMap.newKeySet();
                org.fake.switches.calls =
                        call ->
                                troubled.add(call.method() + call.path().replaceAll("750\\w+", ""))
                                        ? fault
                                        : FakeFault.NONE;
                write("lost" + fault + count, rows(count, 0));
                shouldHave(rows(count, 0));
            }
        }
    }

    @Test
    void shouldFinishAJobThatStoppedHalfWay() throws IOException {
        org.fake.switches.jobs =
                job -> job == 1 ? FakeSwitches.JobEnd.HALF : FakeSwitches.JobEnd.COMPLETE;
        assertThat(write("s", rows(5_000, 0)).written()).isEqualTo(5_000);
        shouldHave(rows(5_000, 0));
        org.fake.switches.jobs = job -> FakeSwitches.JobEnd.FAILED;
        assertThatThrownBy(() -> write("t", rows(5_000, 3)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("5,000 rows were not processed by 3 jobs");
    }

    @Test
    void shouldSendLockedRowsAgainInSmallerBatches() throws IOException {
        for (int count : new int[] {3_000, 500}) {
            empty();
            org.fake.switches.rows =
                    (values, together) ->
                            together.size() > 20
                                            && String.valueOf(values.get("Key__c")).endsWith("3")
                                    ? "UNABLE_TO_LOCK_ROW"
                                    : null;
            assertThat(write("lock" + count, rows(count, 0)))
                    .isEqualTo(new BackReport(count, 0, count, 0));
            shouldHave(rows(count, 0));
        }
        org.fake.switches.rows = (values, together) -> "UNABLE_TO_LOCK_ROW";
        assertThat(write("never", rows(10, 5)).failed()).isEqualTo(10);
    }

    @Test
    void shouldKeepWhatIsRefusedWithItsReasonAndSendItAgain() throws IOException {
        for (int count : new int[] {3_000, 300}) {
            empty();
            String state = "dead" + count;
            org.fake.switches.rows =
                    (values, together) ->
                            "k5".equals(values.get("Key__c")) ? "DUPLICATES_DETECTED" : null;
            int before = org.fake.callCount();
            assertThat(write(state, rows(count, 0)).failed()).isEqualTo(1);
            assertThat(org.fake.callCount() - before).isLessThan(15);
            assertThat(write(state, rows(count, 0)))
                    .isEqualTo(new BackReport(count, count - 1, 0, 1));
            try (WriteBack back = open(state, SCORES)) {
                DeadLetter letter = back.deadLetters().get(0);
                assertThat(letter.code()).isEqualTo("DUPLICATES_DETECTED");
                assertThat(letter.reason()).contains("Use one of these records?");
                assertThat(letter.attempts()).isEqualTo(2);
                assertThat(letter.key()).isEqualTo("k5");
                org.fake.switches.rows = (values, together) -> null;
                assertThat(back.replay()).isEqualTo(new BackReport(1, 0, 1, 0));
                assertThat(back.deadLetters()).isEmpty();
            }
            shouldHave(rows(count, 0));
            assertThat(write(state, rows(count, 0)).unchanged()).isEqualTo(count);
        }
    }

    @Test
    void shouldNotGuessWhichOfTwoRecordsIsMeant() throws IOException {
        scores.insert(Map.of("Key__c", "k1"));
        scores.insert(Map.of("Key__c", "k1"));
        assertThat(write("s", rows(3, 0))).isEqualTo(new BackReport(3, 0, 2, 1));
        try (WriteBack back = open("s", SCORES)) {
            assertThat(back.deadLetters().get(0).reason()).contains("more than one record");
        }
    }

    @Test
    void shouldKeepRowsThatAreNoNumberAndWriteEveryOther() throws IOException {
        List<BackRow> rows = new ArrayList<>(rows(10, 0));
        rows.add(new BackRow("bad", Arrays.asList("viel", "B", null)));
        assertThat(write("s", rows)).isEqualTo(new BackReport(11, 0, 10, 1));
        try (WriteBack back = open("s", SCORES)) {
            assertThat(back.deadLetters().get(0).reason())
                    .isEqualTo("Score__c is 'viel', which is no double");
        }
    }

    @Test
    void shouldTakeValuesAwayByJobAndByRest() throws IOException {
        for (int count : new int[] {3_000, 30}) {
            empty();
            write("null" + count, rows(count, 0));
            List<BackRow> none = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                none.add(new BackRow("k" + i, Arrays.asList(null, i == 0 ? "#N/A." : null, null)));
            }
            write("null" + count, none);
            shouldHave(none);
        }
    }

    @Test
    void shouldSayWhatIsWrongWithTheTable() {
        Map<BackTable, String> wrong =
                Map.of(
                        new BackTable("Scor__c", "Key__c", List.of("Score__c")),
                        "did you mean 'Score__c'",
                        new BackTable("Score__c", "Segment__c", List.of("Score__c")),
                        "Segment__c of Score__c is no external id",
                        new BackTable("Score__c", "Key__c", List.of("Scre__c")),
                        "no field 'Scre__c'",
                        new BackTable("Account", "Ext__c", List.of("Size__c")),
                        "may not write Size__c");
        wrong.forEach(
                (table, message) ->
                        assertThatThrownBy(
                                        () -> {
                                            try (WriteBack back = open("w", table)) {
                                                back.write(all(rows(1, 0)));
                                            }
                                        })
                                .isInstanceOf(ConfigException.class)
                                .hasMessageContaining(message));
        List<BackRow> twice = List.of(row("a", 1), row("a", 2));
        assertThatThrownBy(() -> write("w", twice)).hasMessageContaining("have the key 'a'");
    }
}

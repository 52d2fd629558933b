package dev.medley.connect.salesforce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.connect.back.BackReport;
import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.BackTable;
import dev.medley.connect.back.DeadLetter;
import dev.medley.connect.back.WriteBack;
import dev.medley.connect.salesforce.fake.FakeTable;
import dev.medley.connect.sync.Synced;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One value that an org does not take costs its own row, and no other. */
@Tag("real")
class SalesforceValuesTest {
    private static final BackTable DAYS =
            new BackTable("Score__c", "Key__c", List.of("Day__c", "Moment__c", "Score__c"));

    @TempDir Path folder;
    private GivenOrg org;

    @BeforeEach
    void start() {
        org = new GivenOrg(folder);
    }

    @AfterEach
    void stop() {
        org.close();
    }

    private BackReport write(BackTable table, List<BackRow> rows) throws IOException {
        try (WriteBack back = open(table)) {
            return back.write(
                    taker -> {
                        for (BackRow row : rows) {
                            taker.row(row);
                        }
                    });
        }
    }

    private WriteBack open(BackTable table) throws IOException {
        SalesforceDestination destination =
                new SalesforceDestination(org.login(), table, org.budget(100), org.waits());
        return WriteBack.open(folder.resolve("state"), destination, org.time);
    }

    private static List<BackRow> good(int count) {
        List<BackRow> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(new BackRow("k" + i, List.of("2026-01-31", "2026-01-31T10:00:00Z", "0.5")));
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 2_500})
    void aValueThatIsNotOfItsFieldShouldBeADeadLetterOfItsRowAlone(int count) throws IOException {
        List<List<String>> bad =
                List.of(
                        Arrays.asList("infinity", null, null),
                        Arrays.asList("31.01.2026", null, null),
                        Arrays.asList("2026-02-30", null, null),
                        Arrays.asList("+12026-01-01", null, null),
                        Arrays.asList("-0043-03-15", null, null),
                        Arrays.asList("2026-01-31T10:00:00", null, null),
                        Arrays.asList(null, "2026-01-31T10:00:00", null),
                        Arrays.asList(null, "2026-01-31", null),
                        Arrays.asList(null, "-infinity", null),
                        Arrays.asList(null, null, "NaN"),
                        Arrays.asList(null, null, "Infinity"));
        List<BackRow> rows = new ArrayList<>(good(count));
        for (int i = 0; i < bad.size(); i++) {
            rows.add(i * 2, new BackRow("bad" + i, bad.get(i)));
        }
        assertThat(write(DAYS, rows))
                .isEqualTo(new BackReport(count + bad.size(), 0, count, bad.size()));
        assertThat(org.fake.org.table("Score__c").live()).hasSize(count);
        try (WriteBack back = open(DAYS)) {
            assertThat(back.deadLetters())
                    .extracting(DeadLetter::code)
                    .containsOnly("INVALID_VALUE")
                    .hasSize(bad.size());
        }
    }

    @Test
    void aValueThatOnlyTheOrgKnowsToBeWrongShouldCostItsRowAlone() throws IOException {
        BackTable asText = new BackTable("Account", "Ext__c", List.of("Since__c", "Name"));
        List<BackRow> rows = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            rows.add(new BackRow("k" + i, List.of("2026-01-31", "n")));
        }
        org.fake.switches.unreadable = "k7";
        assertThat(write(asText, rows)).isEqualTo(new BackReport(300, 0, 299, 1));
        try (WriteBack back = open(asText)) {
            assertThat(back.deadLetters().get(0).key()).isEqualTo("k7");
            assertThat(back.deadLetters().get(0).code()).isEqualTo("JSON_PARSER_ERROR");
        }
    }

    @Test
    void shouldRefuseAnExternalIdThatIsNotUnique() {
        BackTable loose = new BackTable("Score__c", "Loose__c", List.of("Score__c"));
        assertThatThrownBy(() -> write(loose, List.of(new BackRow("a", List.of("1")))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Loose__c of Score__c may have one value in several records");
        assertThat(org.fake.org.table("Score__c").live()).isEmpty();
    }

    @Test
    void shouldReadAllRowsOfAnotherOrgBehindTheSameAddress() throws IOException {
        FakeTable accounts = org.fake.org.table("Account");
        accounts.insert(Map.of("Name", "of the first"));
        Synced synced = new Synced(folder.resolve("snapshot"));
        SalesforceTable table = SalesforceTable.of("Account");
        synced.sync(org.source(table));
        assertThat(synced.sync(org.source(table)).readAll()).isFalse();
        accounts.empty();
        accounts.insertAt(Map.of("Name", "of the second"), Instant.parse("2020-01-01T00:00:00Z"));
        org.fake.becomeOrg("00D000000000002AAA");
        assertThat(synced.sync(org.source(table)).why())
                .isEqualTo("it is the org 00D000000000002AAA, no longer 00D000000000001AAA");
        assertThat(synced.rows()).hasSize(1).allMatch(row -> row.contains("of the second"));
    }

    @Test
    void shouldSendAllRowsToAnotherOrgBehindTheSameAddress() throws IOException {
        write(DAYS, good(5));
        assertThat(write(DAYS, good(5)).unchanged()).as("the same org").isEqualTo(5);
        FakeTable scores = org.fake.org.table("Score__c");
        scores.live().forEach(row -> scores.delete(String.valueOf(row.get("Id"))));
        org.fake.becomeOrg("00D000000000002AAA");
        assertThat(write(DAYS, good(5)).written()).isEqualTo(5);
        assertThat(scores.live()).hasSize(5);
    }
}

package dev.medley.connect.salesforce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.connect.salesforce.fake.FakeFault;
import dev.medley.connect.salesforce.fake.FakeTable;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.Synced;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids are read after records; what happens between the two is neither lost nor doubled. */
@Tag("real")
class SalesforceMomentsTest {
    private static final SalesforceTable EACH_TIME =
            new SalesforceTable("Account", List.of("Name"), Duration.ofMinutes(15), Duration.ZERO);

    @TempDir Path folder;
    private GivenOrg org;
    private FakeTable accounts;
    private Synced synced;

    @BeforeEach
    void start() throws IOException {
        org = new GivenOrg(folder);
        accounts = org.fake.org.table("Account");
        synced = new Synced(folder.resolve("t"));
        for (int i = 0; i < 5; i++) {
            accounts.insert(Map.of("Name", "n" + i));
        }
        synced.sync(org.source(EACH_TIME));
    }

    @AfterEach
    void stop() {
        org.close();
    }

    @Test
    void aRecordThatComesBetweenShouldComeWithTheNextSync() throws IOException {
        SyncReport report = between(() -> accounts.insert(Map.of("Name", "late")));
        assertThat(report.readAll()).as(report.why()).isFalse();
        shouldBeEqualAfter(6);
    }

    @Test
    void othersShouldStayWhereTheNewestIsPurged() throws IOException {
        org.fake.org.advance(7_200);
        String newest = accounts.insert(Map.of("Name", "newest"));
        synced.sync(org.source(EACH_TIME));
        accounts.purge(newest);
        synced.sync(org.source(EACH_TIME));
        assertThat(synced.rows()).hasSize(5);
    }

    @Test
    void aRecordThatGoesBetweenShouldGoWithTheNextSync() throws IOException {
        String id = String.valueOf(accounts.live().get(0).get("Id"));
        between(() -> accounts.delete(id));
        shouldBeEqualAfter(4);
    }

    @Test
    void aRecordThatChangesBetweenShouldChangeWithTheNextSync() throws IOException {
        String id = String.valueOf(accounts.live().get(0).get("Id"));
        between(() -> accounts.update(id, Map.of("Name", "other")));
        assertThat(synced.rows()).hasSize(5);
        shouldBeEqualAfter(5);
        assertThat(synced.rows()).anyMatch(row -> row.contains("other"));
    }

    private SyncReport between(Runnable change) throws IOException {
        AtomicBoolean isDone = new AtomicBoolean();
        org.fake.switches.calls =
                call -> {
                    if (call.path().contains("SELECT%20Id%20FROM") && !isDone.getAndSet(true)) {
                        change.run();
                    }
                    return FakeFault.NONE;
                };
        SyncReport report = synced.sync(org.source(EACH_TIME));
        assertThat(isDone).isTrue();
        return report;
    }

    private void shouldBeEqualAfter(int count) throws IOException {
        synced.sync(org.source(EACH_TIME));
        assertThat(synced.rows()).hasSize(count);
        assertThat(synced.reconcile(org.source(EACH_TIME)).isEqual()).isTrue();
    }
}

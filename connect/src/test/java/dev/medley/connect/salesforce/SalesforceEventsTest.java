package dev.medley.connect.salesforce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.connect.salesforce.event.ChangeEventOptions;
import dev.medley.connect.salesforce.fake.FakeTable;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.Synced;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        assertThat(synced.rows()).hasSize(there.size());
        for (String row : there) {
            assertThat(synced.rows()).anyMatch(text -> text.startsWith(row));
        }
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
}

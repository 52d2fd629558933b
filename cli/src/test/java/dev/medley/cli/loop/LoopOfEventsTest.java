package dev.medley.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.cli.Said;
import dev.medley.connect.salesforce.fake.FakeEventFault;
import dev.medley.connect.salesforce.fake.FakeField;
import dev.medley.connect.salesforce.fake.FakeSalesforce;
import dev.medley.connect.salesforce.fake.FakeTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole loop over a Salesforce whose change events say what to read, by its commands. */
@Tag("real")
@Timeout(240)
class LoopOfEventsTest {
    private static final int CLOSED = 200;
    private static final int OPEN = 40;
    private static final Instant BEGIN = Instant.parse("2026-06-01T08:00:00Z");

    @TempDir Path folder;
    private FakeSalesforce fake;
    private FakeTable leads;
    private String loop = "";
    private int made;

    @BeforeEach
    void begin() throws IOException {
        fake = FakeSalesforce.start();
        fake.org.define(
                "Lead",
                "00Q",
                FakeField.externalId("Number__c"),
                FakeField.of("Visits__c", "double"),
                FakeField.of("Asked__c", "datetime"),
                FakeField.of("Bought__c", "string"),
                FakeField.of("Score__c", "double"));
        fake.org.events.select("Lead");
        leads = fake.org.table("Lead");
        for (int i = 0; i < CLOSED + OPEN; i++) {
            insert(i < CLOSED);
        }
        fake.org.advance(7_200); // Beyond the overlap, so that stamps alone bring nothing anew.
        insert(true);
        fake.org.advance(7_200);
        Files.writeString(folder.resolve("key.pem"), fake.keyPem());
        loop = file();
    }

    @AfterEach
    void end() {
        fake.close();
    }

    private String insert(boolean isClosed) {
        int visits = (made * 37) % 100;
        Map<String, @Nullable String> lead = new HashMap<>();
        lead.put("Number__c", "L%04d".formatted(made));
        lead.put("Visits__c", "" + visits);
        lead.put("Asked__c", BEGIN.plus(10L * made, ChronoUnit.MINUTES).toString());
        if (isClosed) {
            lead.put("Bought__c", visits > 50 ? "yes" : "no");
        }
        made++;
        return leads.insert(lead);
    }

    private String file() throws IOException {
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: leads
                data: {train: the-rows-of-the-loop, label: Bought__c}
                model: {family: boosting, rounds: 5, depth: 2}
                cluster: {workers: 1}
                """);
        String login =
                """
                    salesforce: "%s"
                    client_id: %s
                    user: %s
                    key_file: key.pem
                    object: Lead
                """
                        .formatted(fake.url(), FakeSalesforce.CONSUMER_KEY, FakeSalesforce.USER);
        return Files.writeString(
                        folder.resolve("leads.yaml"),
                        """
                        name: leads
                        sources:
                          leads:
                        %s    columns: [Number__c, Visits__c, Asked__c, Bought__c]
                            events: "%s"
                        rows:
                          sql: SELECT Number__c, Asked__c, Visits__c, Bought__c FROM leads
                          key: Number__c
                          at: Asked__c
                          label: Bought__c
                        score:
                          sql: SELECT Number__c, Visits__c FROM leads WHERE Bought__c IS NULL
                          key: Number__c
                        job: job.yaml
                        promote: {metric: auc, newest: 25%%}
                        destinations:
                          crm:
                        %s    external_id: Number__c
                            columns: {Score__c: p(yes)}
                        """
                                .formatted(login, fake.eventsUrl(), login))
                .toString();
    }

    private String run() {
        Said ran = Said.when("loop", "run", loop);
        assertThat(ran.exitCode()).as(ran.err() + ran.out()).isZero();
        return ran.out();
    }

    private @Nullable String score(String id) {
        return leads.live().stream()
                .filter(lead -> id.equals(lead.get("Id")))
                .map(lead -> lead.get("Score__c"))
                .findFirst()
                .orElse(null);
    }

    private List<String> unscored() {
        return leads.live().stream()
                .filter(lead -> lead.get("Bought__c") == null && lead.get("Score__c") == null)
                .map(lead -> String.valueOf(lead.get("Number__c")))
                .toList();
    }

    @Test
    void eventsShouldBringWhatChangedIntoTrainingAndScoresBack() {
        assertThat(run()).contains("241 new", "version 1 answers from now on");
        assertThat(unscored()).isEmpty();
        // Scores that were sent are changes of the org, too; none of them is a change here.
        List<String> open =
                leads.live().stream()
                        .filter(lead -> lead.get("Bought__c") == null)
                        .map(lead -> String.valueOf(lead.get("Id")))
                        .toList();
        String changed = open.get(0);
        String before = score(changed);
        String other = before != null && Double.parseDouble(before) > 0.5 ? "1" : "99";
        // A change whose stamp is old, as of who may set stamps: events alone tell of it.
        leads.updateAt(
                changed, Map.of("Visits__c", other), fake.org.now().minus(Duration.ofDays(30)));
        leads.delete(open.get(1));
        leads.purge(open.get(2));
        String came = insert(false);
        fake.org.advance(60);
        fake.expireTokens();
        boolean[] isCut = {false};
        fake.org.events.calls =
                (method, number) -> {
                    boolean isFirst = method.equals("Subscribe") && !isCut[0];
                    isCut[0] |= isFirst;
                    return isFirst ? FakeEventFault.CUT : FakeEventFault.NONE;
                };
        String said = run();
        assertThat(said)
                .contains("events of /data/LeadChangeEvent told")
                .contains("1 new, 1 changed, 2 gone");
        assertThat(isCut[0]).isTrue();
        assertThat(score(came)).isNotNull();
        assertThat(score(changed)).isNotEqualTo(before);
        assertThat(unscored()).isEmpty();
        assertThat(leads.live()).hasSize(240);
        assertThat(Said.when("loop", "explain", loop, "2").out())
                .contains("events of /data/LeadChangeEvent told");
        Said equal = Said.when("loop", "reconcile", loop);
        assertThat(equal.exitCode()).as(equal.out()).isZero();
    }
}

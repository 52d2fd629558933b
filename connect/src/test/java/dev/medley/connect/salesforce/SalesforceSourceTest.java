package dev.medley.connect.salesforce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.connect.salesforce.call.LimitReached;
import dev.medley.connect.salesforce.call.OrgCall;
import dev.medley.connect.salesforce.call.SalesforceLogin;
import dev.medley.connect.salesforce.call.Waits;
import dev.medley.connect.salesforce.fake.FakeFault;
import dev.medley.connect.salesforce.fake.FakeField;
import dev.medley.connect.salesforce.fake.FakeSwitches;
import dev.medley.connect.salesforce.fake.FakeTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class SalesforceSourceTest {
    private static final SalesforceTable NAMES =
            new SalesforceTable(
                    "Account",
                    List.of("Name", "NumberOfEmployees"),
                    Duration.ofMinutes(15),
                    Duration.ofDays(1));

    @TempDir Path folder;
    private GivenOrg org;
    private FakeTable accounts;
    private final KeptCopy copy = new KeptCopy();

    @BeforeEach
    void start() {
        org = new GivenOrg(folder);
        accounts = org.fake.org.table("Account");
        org.fake.switches.mostRecordsAPage = 700;
    }

    @AfterEach
    void stop() {
        org.close();
    }

    private void insert(int count) {
        for (int i = 0; i < count; i++) {
            accounts.insert(account("Firma " + i, i));
        }
    }

    private static Map<String, @Nullable String> account(String name, int employees) {
        Map<String, @Nullable String> values = new HashMap<>();
        values.put("Name", name);
        values.put("NumberOfEmployees", Integer.toString(employees));
        return values;
    }

    private void shouldBeTheSame() {
        assertThat(copy.rows).hasSameSizeAs(accounts.live());
        for (Map<String, @Nullable String> row : accounts.live()) {
            assertThat(copy.rows.get(row.get("Id")))
                    .containsExactly(row.get("Id"), row.get("Name"), row.get("NumberOfEmployees"));
        }
    }

    private long calls(String part) {
        return org.fake.heard().stream().filter(call -> call.path().contains(part)).count();
    }

    @Test
    void shouldReadEveryKindOfValueTheSameByRestAndByBulk() throws IOException {
        Map<String, @Nullable String> values = account("Ännchen, \"AG\"\nzweite Zeile", 7);
        values.put("AnnualRevenue", "12.50");
        values.put("Active__c", "true");
        values.put("Since__c", "2020-02-29");
        values.put("Rating__c", "0.1");
        accounts.insert(values);
        accounts.insert(account("#N/A", 0));
        org.fake.org.advance(3600);
        SalesforceTable all = SalesforceTable.of("Account");
        KeptCopy byRest = new KeptCopy();
        byRest.sync(org.source(all));
        assertThat(calls("/jobs/")).isZero();
        assertThat(byRest.why).contains("BillingAddress (compound)").contains("Size__c (formula)");
        org.fake.switches.restPage = 1;
        copy.sync(org.source(all));
        assertThat(calls("/jobs/query")).isPositive();
        assertThat(copy.rows).isEqualTo(byRest.rows).hasSize(2);
        assertThat(copy.rows.values().iterator().next())
                .contains("Ännchen, \"AG\"\nzweite Zeile", "12.5", "1", "18321", "0.1", "7")
                .doesNotContain("12.50");
    }

    @Test
    void shouldReadAllRowsInPagesWhereEveryStampIsTheSame() throws IOException {
        insert(5_000);
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
        assertThat(calls("/results?")).isEqualTo(8);
        for (Map<String, @Nullable String> row : accounts.live()) {
            accounts.update(String.valueOf(row.get("Id")), account("neu", 1));
        }
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
        assertThat(copy.given).isEqualTo(10_000);
    }

    @Test
    void shouldReadOnlyWhatChangedAndWhatWasDeleted() throws IOException {
        insert(100);
        copy.sync(org.source(NAMES));
        org.fake.org.advance(86_400);
        List<Map<String, @Nullable String>> all = accounts.live();
        accounts.update(String.valueOf(all.get(3).get("Id")), account("neu", 1));
        accounts.delete(String.valueOf(all.get(4).get("Id")));
        insert(1);
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
        org.fake.org.advance(86_400);
        copy.given = 0;
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
        assertThat(copy.given).isEqualTo(3); // Those within the overlap come again.
    }

    @Test
    void shouldFindRowsThatCommitLaterThanTheirStampWithinTheOverlap() throws IOException {
        insert(3);
        org.fake.org.advance(600);
        insert(1);
        copy.sync(org.source(NAMES));
        accounts.insertAt(account("spät", 1), org.fake.org.now().minusSeconds(590));
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
    }

    @Test
    void shouldFindEvenLaterOnesAndPurgedOnesWhenIdsAreCompared() throws IOException {
        insert(3);
        org.fake.org.advance(86_400);
        insert(1);
        copy.sync(org.source(NAMES));
        accounts.insertAt(account("viel zu spät", 1), org.fake.org.now().minusSeconds(80_000));
        copy.sync(org.source(NAMES));
        assertThat(copy.rows).hasSize(4);
        org.time.advanceWall(Duration.ofDays(1).toMillis());
        org.fake.switches.aheadSeconds = 86_400;
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
    }

    @Test
    void shouldReadAllAgainWhenAFieldIsNew() throws IOException {
        insert(10);
        SalesforceTable all = SalesforceTable.of("Account");
        copy.sync(org.source(all));
        org.fake.org.advance(86_400);
        accounts.addField(FakeField.of("Neu__c", "string"));
        accounts.updateAt(
                String.valueOf(accounts.live().get(0).get("Id")),
                Map.of("Neu__c", "schon lange"),
                org.fake.org.now().minusSeconds(80_000));
        copy.sync(org.source(all));
        assertThat(copy.why).contains("fields changed");
        assertThat(copy.rows.values()).anyMatch(row -> row.contains("schon lange"));
    }

    @Test
    void shouldNameWhatIsMisspelt() {
        KeptCopy other = new KeptCopy();
        assertThatThrownBy(() -> other.sync(org.source(SalesforceTable.of("Acount"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no object 'Acount'; did you mean 'Account'?");
        SalesforceTable field =
                new SalesforceTable("Account", List.of("Nmae"), Duration.ZERO, Duration.ZERO);
        assertThatThrownBy(() -> other.sync(org.source(field)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no field 'Nmae'")
                .hasMessageContaining("did you mean 'Name'?");
        SalesforceTable formula =
                new SalesforceTable("Account", List.of("Size__c"), Duration.ZERO, Duration.ZERO);
        assertThatThrownBy(() -> other.sync(org.source(formula)))
                .hasMessageContaining("Size__c of Account cannot be read exactly (formula)");
    }

    @Test
    void shouldSayWhoIsNotLetIn() throws IOException {
        SalesforceLogin good = org.login();
        Path other = folder.resolve("other.pem");
        Files.writeString(other, dev.medley.connect.salesforce.fake.FakeSalesforce.otherKeyPem());
        Files.writeString(folder.resolve("text.pem"), "no key");
        List<SalesforceLogin> wrong =
                List.of(
                        login(good, "other", good.user(), good.keyFile()),
                        login(good, good.consumerKey(), "a@b.c", good.keyFile()),
                        login(good, good.consumerKey(), good.user(), other),
                        login(good, good.consumerKey(), good.user(), folder.resolve("text.pem")),
                        login(good, good.consumerKey(), good.user(), folder.resolve("none.pem")));
        List<String> said =
                List.of(
                        "Compare the consumer key",
                        "a@b.c in: user hasn't approved",
                        "must belong to the certificate",
                        "is not a private key in PKCS 8",
                        "none.pem");
        for (int i = 0; i < wrong.size(); i++) {
            SalesforceLogin login = wrong.get(i);
            assertThatThrownBy(
                            () ->
                                    new SalesforceSource(login, NAMES, org.budget(100), org.waits())
                                            .open(dev.medley.connect.table.SyncStart.FIRST))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(said.get(i))
                    .hasMessageNotContaining(login.consumerKey());
        }
    }

    private static SalesforceLogin login(
            SalesforceLogin good, String consumer, String user, Path key) {
        return new SalesforceLogin(good.loginUrl(), consumer, user, key, good.version());
    }

    @Test
    void shouldRenewTheTokenInTheMiddleOfPages() throws IOException {
        insert(5_000);
        org.fake.switches.calls =
                call -> {
                    if (call.number() == 9) {
                        org.fake.expireTokens();
                    }
                    return FakeFault.NONE;
                };
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
        assertThat(calls("oauth2/token")).isEqualTo(2);
    }

    @Test
    void shouldComeThroughPassingTroubleAtEveryCall() throws IOException {
        insert(3_000);
        for (FakeFault fault :
                List.of(
                        FakeFault.UNAVAILABLE,
                        FakeFault.CUT_BEFORE,
                        FakeFault.CUT_AFTER,
                        FakeFault.CUT_WITHIN,
                        FakeFault.UNAUTHORIZED)) {
            Set<String> troubled = java.util.concurrent.ConcurrentHashMap.newKeySet();
            org.fake.switches.calls =
                    call ->
                            call.path().contains("oauth2") || !troubled.add(call.path())
                                    ? FakeFault.NONE
                                    : fault;
            KeptCopy one = new KeptCopy();
            one.sync(org.source(NAMES));
            assertThat(one.rows).as(fault.name()).hasSize(3_000);
        }
    }

    @Test
    void shouldReadAResultWithTheHeaderOnTheFirstPageOnly() throws IOException {
        insert(3_000);
        org.fake.switches.headerRow = FakeSwitches.HeaderRow.FIRST_PAGE;
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
    }

    @Test
    void shouldNotNeedTheHeadersThatAProxyStrips() throws IOException {
        insert(3_000);
        org.fake.switches.strippedHeaders = Set.of("sforce-numberofrecords", "sforce-locator");
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
    }

    @Test
    void shouldNotTakeAShortenedPageForAWholeOne() throws IOException {
        insert(3_000);
        boolean[] isBroken = {true};
        org.fake.switches.calls =
                call -> {
                    boolean isPage = call.path().contains("/results?") && isBroken[0];
                    isBroken[0] &= !isPage;
                    return isPage ? FakeFault.SHORTENED : FakeFault.NONE;
                };
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
        org.fake.switches.strippedHeaders = Set.of("sforce-numberofrecords");
        isBroken[0] = true;
        KeptCopy other = new KeptCopy();
        assertThatThrownBy(() -> other.sync(org.source(NAMES)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has 2,999 rows, but the job processed 3,000");
        assertThat(other.rows).isEmpty();
        other.sync(org.source(NAMES));
        assertThat(other.rows).isEqualTo(copy.rows);
    }

    @Test
    void shouldGoOnFromTheLastPageAfterACut() throws IOException {
        insert(5_000);
        org.fake.switches.calls =
                call -> {
                    boolean isLate =
                            org.fake.heard().stream()
                                            .filter(c -> c.path().contains("/results?"))
                                            .count()
                                    > 5;
                    return isLate ? FakeFault.LIMIT : FakeFault.NONE;
                };
        assertThatThrownBy(() -> copy.sync(org.source(NAMES)))
                .isInstanceOf(LimitReached.class)
                .hasMessageContaining("UTC")
                .hasMessageContaining("What was read is kept");
        org.fake.switches.calls = call -> FakeFault.NONE;
        int before = copy.given;
        assertThat(before).isBetween(700, 3_500);
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
        assertThat(copy.given).isEqualTo(5_000);
        assertThat(org.fake.jobs()).hasSize(1);
    }

    @Test
    void shouldStartAnewWhenTheJobIsGone() throws IOException {
        insert(5_000);
        org.fake.switches.calls =
                call -> call.path().contains("locator=MjEwMA") ? FakeFault.LIMIT : FakeFault.NONE;
        assertThatThrownBy(() -> copy.sync(org.source(NAMES))).isInstanceOf(LimitReached.class);
        org.fake.switches.calls = call -> FakeFault.NONE;
        org.calls().send(OrgCall.delete("/jobs/query/" + org.fake.jobs().get(0)));
        copy.sync(org.source(NAMES));
        shouldBeTheSame();
    }

    @Test
    void shouldSayThatAJobFailed() {
        insert(3_000);
        org.fake.switches.jobs = job -> FakeSwitches.JobEnd.FAILED;
        assertThatThrownBy(() -> copy.sync(org.source(NAMES)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("failed: InternalServerError");
    }

    @Test
    void shouldNotWaitForEver() {
        insert(3_000);
        org.fake.switches.pollsUntilDone = 1_000_000;
        assertThatThrownBy(() -> copy.sync(org.source(NAMES)))
                .hasMessageContaining("is still InProgress after 60 minutes");
        org.fake.switches.calls = call -> FakeFault.SILENT;
        Waits short1 =
                new Waits(
                        org.time,
                        org.time,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        1);
        assertThatThrownBy(
                        () ->
                                copy.sync(
                                        new SalesforceSource(
                                                org.login(), NAMES, org.budget(100), short1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no answer of Salesforce within 1 s");
    }

    @Test
    void shouldStayWithinItsShareOfTheCalls() throws IOException {
        insert(5_000);
        org.fake.org.allow(1_000);
        SalesforceSource source =
                new SalesforceSource(org.login(), NAMES, org.budget(1), org.waits());
        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 10; i++) {
                                copy.sync(source);
                            }
                        })
                .isInstanceOf(LimitReached.class)
                .hasMessageContaining("1 % of the calls that Salesforce had left are used up (9)");
        assertThat(org.fake.org.calls()).isLessThanOrEqualTo(11); // The question itself is one.
    }
}

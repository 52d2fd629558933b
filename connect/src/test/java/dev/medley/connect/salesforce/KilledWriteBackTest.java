package dev.medley.connect.salesforce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.connect.back.BackReport;
import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.BackTable;
import dev.medley.connect.back.WriteBack;
import dev.medley.connect.salesforce.call.CallBudget;
import dev.medley.connect.salesforce.call.SalesforceLogin;
import dev.medley.connect.salesforce.call.Waits;
import dev.medley.connect.salesforce.fake.FakeFault;
import dev.medley.connect.salesforce.fake.FakeTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that writes back while a call of its is on the way, and lets another one go on.
 */
@Tag("real")
class KilledWriteBackTest {
    private static final int ROWS = 2_500;

    /** From the login to the last list of results. */
    private static final int CALLS = 10;

    @TempDir Path folder;

    /** Writes rows into the org at an address: its arguments are address, key file and state. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] args) throws IOException {
            BackReport report = write(args[0], Path.of(args[1]), Path.of(args[2]));
            System.out.println(report);
        }

        static BackReport write(String url, Path key, Path state) throws IOException {
            SalesforceLogin login =
                    new SalesforceLogin(
                            url,
                            dev.medley.connect.salesforce.fake.FakeSalesforce.CONSUMER_KEY,
                            dev.medley.connect.salesforce.fake.FakeSalesforce.USER,
                            key,
                            SalesforceLogin.USUAL_VERSION);
            BackTable table = new BackTable("Score__c", "Key__c", List.of("Score__c"));
            Waits waits = Waits.usual();
            CallBudget budget =
                    new CallBudget(100, state.resolveSibling("budget.json"), waits.clock());
            SalesforceDestination destination =
                    new SalesforceDestination(login, table, budget, waits);
            try (WriteBack back = WriteBack.open(state, destination, Clock.system())) {
                return back.write(
                        taker -> {
                            for (int i = 0; i < ROWS; i++) {
                                taker.row(new BackRow("k" + i, List.of(Integer.toString(i))));
                            }
                        });
            }
        }
    }

    @Test
    void shouldNeitherDoubleNorLoseARow() throws Exception {
        boolean isAll = "all".equals(System.getProperty("medley.cuts"));
        RandomGenerator random = Seeds.generator(7);
        for (FakeFault fault : List.of(FakeFault.CUT_BEFORE, FakeFault.CUT_AFTER)) {
            for (int cut = 1; cut <= CALLS; cut++) {
                if (isAll || random.nextInt(4) == 0) {
                    Path own = Files.createDirectories(folder.resolve(fault + "-" + cut));
                    killedAt(cut, fault, own);
                }
            }
        }
    }

    private static void killedAt(int cut, FakeFault fault, Path own) throws Exception {
        try (GivenOrg org = new GivenOrg(own)) {
            Path key = own.resolve("key.pem");
            Path state = own.resolve("state");
            Process[] writer = new Process[1];
            Object started = new Object();
            org.fake.switches.calls =
                    call -> {
                        if (call.number() != cut) {
                            return FakeFault.NONE;
                        }
                        synchronized (started) {
                            writer[0].destroyForcibly();
                        }
                        return fault;
                    };
            synchronized (started) {
                writer[0] =
                        new ProcessBuilder(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xmx256m",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        Writer.class.getName(),
                                        org.fake.url(),
                                        key.toString(),
                                        state.toString())
                                .redirectErrorStream(true)
                                .redirectOutput(own.resolve("said.txt").toFile())
                                .start();
            }
            boolean isOver = writer[0].waitFor(60, TimeUnit.SECONDS);
            assertThat(isOver).isTrue();
            String said = Files.readString(own.resolve("said.txt"));
            assertThat(writer[0].exitValue()).as(said).isNotZero();
            assertThat(said).doesNotContain("Exception");
            org.fake.switches.calls = call -> FakeFault.NONE;
            BackReport report = Writer.write(org.fake.url(), key, state);
            assertThat(report.failed()).isZero();
            FakeTable scores = org.fake.org.table("Score__c");
            assertThat(scores.live()).hasSize(ROWS);
            Set<String> keys =
                    scores.live().stream()
                            .map(row -> String.valueOf(row.get("Key__c")))
                            .collect(Collectors.toSet());
            assertThat(keys).hasSize(ROWS);
            assertThat(Writer.write(org.fake.url(), key, state).unchanged()).isEqualTo(ROWS);
        }
    }
}

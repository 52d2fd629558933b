package dev.medley.connect.salesforce;

import dev.medley.connect.salesforce.call.CallBudget;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.connect.salesforce.call.SalesforceLogin;
import dev.medley.connect.salesforce.call.Waits;
import dev.medley.connect.salesforce.fake.FakeSalesforce;
import dev.medley.connect.salesforce.fake.FakeSalesforceMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A fake org with two objects, and what a client needs to ask it. */
public final class GivenOrg implements AutoCloseable {
    public final FakeSalesforce fake = FakeSalesforce.start();
    public final QuickTime time = new QuickTime();
    private final Path folder;

    public GivenOrg(Path folder) {
        this.folder = folder;
        FakeSalesforceMain.withTables(fake);
        fake.org.allow(1_000_000);
        try {
            Files.writeString(folder.resolve("key.pem"), fake.keyPem());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public SalesforceLogin login() {
        return new SalesforceLogin(
                fake.url(),
                FakeSalesforce.CONSUMER_KEY,
                FakeSalesforce.USER,
                folder.resolve("key.pem"),
                SalesforceLogin.USUAL_VERSION);
    }

    public CallBudget budget(int percent) {
        return new CallBudget(percent, folder.resolve("budget.json"), time);
    }

    public Waits waits() {
        return waits(Duration.ofMinutes(2));
    }

    public Waits waits(Duration call) {
        return new Waits(time, time, call, call, Duration.ofHours(1), 4);
    }

    public SalesforceSource source(SalesforceTable table) {
        return new SalesforceSource(login(), table, budget(100), waits());
    }

    public SalesforceCalls calls() {
        return new SalesforceCalls(login(), budget(100), waits());
    }

    @Override
    public void close() {
        fake.close();
    }
}

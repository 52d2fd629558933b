package dev.medley.connect.salesforce;

import dev.medley.connect.salesforce.call.CallBudget;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.connect.salesforce.call.SalesforceLogin;
import dev.medley.connect.salesforce.call.Waits;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import java.io.IOException;

/**
 * Reads an object of a Salesforce org. A first sync reads all records; later ones those whose
 * SystemModstamp is not before the newest one of the sync before, less an overlap, deleted ones
 * among them; or, where change events are read, those of which they told. Now and then all ids are
 * compared.
 *
 * <p>Salesforce has no snapshots: a view is as the org was while it was read, and a record that
 * changes meanwhile comes again with the next sync. A record that commits later than the overlap
 * after its stamp is found when ids are compared if it is new, and with its next change if it is
 * not.
 *
 * <p>Thread: one sync at a time.
 */
public final class SalesforceSource implements TableSource {
    private final SalesforceTable table;
    private final SalesforceCalls calls;

    /** An object of the org that {@code login} opens, within a budget that other syncs share. */
    public SalesforceSource(
            SalesforceLogin login, SalesforceTable table, CallBudget budget, Waits waits) {
        this.table = table;
        this.calls = new SalesforceCalls(login, budget, waits);
    }

    @Override
    public String name() {
        return "salesforce:" + table.object();
    }

    @Override
    public TableView open(SyncStart start) throws IOException {
        return SalesforceView.open(calls, table, start);
    }
}

package dev.medley.api.run;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.text.Units;
import dev.medley.control.files.Depot;
import dev.medley.control.files.Shipment;
import dev.medley.data.dataset.PreparedData;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Ships the prepared set to machines that do not see it where it lies. */
final class DataShipment {
    private static final List<String> NOT_SENT = List.of("lock", "used");

    private DataShipment() {}

    /** Null for data of which there are no files. */
    static @Nullable Shipment of(PreparedData data, @Nullable JoinSpec join) {
        if (!data.hasFiles()) {
            return null;
        }
        Shipment sent = Shipment.of(data.key(), data.path(), NOT_SENT);
        if (data.spec().placement() != Placement.EVERYWHERE) {
            sent = sent.inParts(data.train().name());
        }
        StoreUrl depot = join == null ? null : join.depot();
        return depot == null ? sent : sent.in(depot);
    }

    /**
     * Puts the set into the object store that the job names, if it names one and the set is not
     * there.
     *
     * @param environment a variable's value, null if it is not set
     * @param progress told while it goes
     * @throws ConfigException if it cannot be put there
     */
    static void stock(
            PreparedData data,
            @Nullable JoinSpec join,
            UnaryOperator<@Nullable String> environment,
            RunProgress progress) {
        Shipment shipment = of(data, join);
        StoreUrl depot = join == null ? null : join.depot();
        if (shipment == null || depot == null) {
            return;
        }
        long total = Math.max(1, shipment.totalBytes());
        String phase = "putting %s into %s".formatted(Units.bytes(total), depot);
        try (Depot store = Depot.at(depot, environment)) {
            store.put(shipment, gone -> progress.preparing(phase, gone, total));
        } catch (IOException e) {
            throw new ConfigException("cluster.data_store: " + e.getMessage(), e);
        }
    }
}

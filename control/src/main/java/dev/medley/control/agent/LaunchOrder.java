package dev.medley.control.agent;

import dev.medley.base.job.JobSpec;
import dev.medley.control.files.PlainName;
import dev.medley.control.files.Shipment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order to start a worker, with what that takes.
 *
 * @param run name of the run, a plain file name
 * @param job resolved; its paths are those of the coordinator's machine
 * @param shipments files that the worker needs
 * @param checkpoint to begin from; null at a run's beginning
 * @param mostBytes of shipments that are sent to a machine which does not see them: more has to be
 *     where the machine sees it
 */
public record LaunchOrder(
        String run,
        JobSpec job,
        List<Shipment> shipments,
        @Nullable Shipment checkpoint,
        long mostBytes) {
    public LaunchOrder {
        PlainName.require(run, "run");
        shipments = List.copyOf(shipments);
    }
}

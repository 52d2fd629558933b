package dev.medley.api.run;

import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.control.agent.LaunchOrder;
import dev.medley.control.files.PinnedCheckpoints;
import dev.medley.control.files.RunFiles;
import dev.medley.control.files.Shipment;
import dev.medley.control.launcher.Launching;
import java.util.List;
import java.util.Objects;

/**
 * Says what the workers of a run need: its job, files that every one of them needs, and the newest
 * checkpoint, which stays until the machine has it.
 *
 * @param run its name
 * @param lasting files that are needed however far the run has come
 * @param checkpoints of the run
 * @param files gives them out
 */
record RunNeeds(
        String run,
        JobSpec job,
        List<Shipment> lasting,
        PinnedCheckpoints checkpoints,
        RunFiles files)
        implements Launching.Needs {
    @Override
    public Object of(int launch) {
        JoinSpec join = Objects.requireNonNull(job.cluster().join());
        Shipment checkpoint = checkpoints.pin(launch);
        if (checkpoint != null) {
            files.give(checkpoint);
        }
        return new LaunchOrder(run, job, lasting, checkpoint, join.sendBytes());
    }

    @Override
    public void settled(int launch) {
        checkpoints.release(launch);
    }
}

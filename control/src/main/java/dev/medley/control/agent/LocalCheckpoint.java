package dev.medley.control.agent;

import dev.medley.control.files.Shipment;
import dev.medley.net.control.KeptState;
import dev.medley.net.files.FilesClient;
import dev.medley.store.checkpoint.Checkpoint;
import dev.medley.store.checkpoint.CheckpointStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the checkpoint that a worker of this machine wrote when its coordinator was gone, and
 * brings it when that run is resumed.
 */
final class LocalCheckpoint {
    private static final Logger LOG = LoggerFactory.getLogger(LocalCheckpoint.class);

    private LocalCheckpoint() {}

    /** What is here of the run in that folder, for whoever watches the agent; empty for nothing. */
    static Optional<String> sentence(Path run) {
        return newest(run)
                .map(
                        kept ->
                                "what this machine holds of %s, after step %d, is kept in %s: it is"
                                                .formatted(
                                                        run.getFileName(),
                                                        kept.step(),
                                                        kept.folder())
                                        + " brought when this agent joins the resumed run");
    }

    /**
     * Brings it where it is ahead of what the coordinator has. One that cannot be brought is of use
     * all the same: the worker here begins with it.
     */
    static void bring(
            Path run, @Nullable Shipment coordinators, FilesClient files, Consumer<String> says) {
        String theirs =
                coordinators == null
                        ? ""
                        : String.valueOf(Path.of(coordinators.root()).getFileName());
        Checkpoint kept = newest(run).orElse(null);
        if (kept == null || kept.folder().getFileName().toString().compareTo(theirs) <= 0) {
            return;
        }
        says.accept(
                "bringing what was kept here of %s after step %d"
                        .formatted(run.getFileName(), kept.step()));
        try {
            String name = "checkpoints/" + kept.folder().getFileName();
            files.bring(name, kept.folder(), KeptState.UNKNOWN);
        } catch (IOException e) {
            LOG.warn("{} could not be brought: {}", kept.folder(), e.getMessage());
        }
    }

    private static Optional<Checkpoint> newest(Path run) {
        return CheckpointStore.latest(run.resolve("checkpoints")).found();
    }
}

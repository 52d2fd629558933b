package dev.medley.cli.option;

import dev.medley.api.run.RunOptions;
import dev.medley.cli.terminal.Terminal;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.shard.PreparationProgress;
import java.nio.file.Path;

/** Finds data that is named on the command line: a path, or a place in an object store. */
public final class NamedData {
    private NamedData() {}

    /** Its path; what lies in an object store is fetched first, which is shown. */
    public static Path here(String data, Terminal terminal) {
        Path found =
                Datasets.here(data, RunOptions.defaultCache().resolve("data"), shown(terminal));
        terminal.endLive();
        return found;
    }

    /** Shows how far a preparation is. */
    public static PreparationProgress shown(Terminal terminal) {
        return (phase, done, total) ->
                terminal.live(total > 0 ? "%s  %d %%".formatted(phase, 100 * done / total) : phase);
    }
}

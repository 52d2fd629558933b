package dev.medley.fleet.view;

import dev.medley.base.ConfigException;
import java.util.List;

/**
 * Holds how large jobs were that ended, newest last.
 *
 * @param kinds of each; see {@link JobView#kind}
 * @param sizesS of each, in seconds at its best rate
 */
public record EndedJobs(List<String> kinds, double[] sizesS) {
    /** Nothing has ended yet. */
    public static final EndedJobs NONE = new EndedJobs(List.of(), new double[0]);

    public EndedJobs {
        ConfigException.check(
                kinds.size() == sizesS.length,
                "%d kinds of %d jobs that ended; give one for each",
                kinds.size(),
                sizesS.length);
    }
}

package dev.medley.base;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a worker that differ from machine to machine, while its assignment is the same on
 * all.
 *
 * @param site where the machine stands; {@link Member#NO_SITE} if unknown
 * @param bind address that the worker listens on
 * @param advertise host that others reach it by; {@link Member#NOT_DIALLED} if they cannot
 * @param firstPort of those that it may listen on, 0 for any
 * @param lastPort of them
 * @param runFolder absolute path for what it writes
 * @param paths where files lie here, by their absolute path on the coordinator's machine
 * @param credentials folder of this machine's certificate; null for plain text on loopback
 * @param isRemote whether what it writes has to be brought to the coordinator
 */
public record WorkerSettings(
        String site,
        String bind,
        String advertise,
        int firstPort,
        int lastPort,
        @Nullable String runFolder,
        Map<String, String> paths,
        @Nullable String credentials,
        boolean isRemote) {
    /**
     * Environment variable of a worker's process with its place as JSON; absent on {@link #HERE}.
     */
    public static final String VARIABLE = "MEDLEY_PLACE";

    /** The coordinator's own machine, which others do not reach. */
    public static final WorkerSettings HERE =
            new WorkerSettings(
                    Member.NO_SITE, "127.0.0.1", "127.0.0.1", 0, 0, null, Map.of(), null, false);

    public WorkerSettings {
        paths = Map.copyOf(paths);
    }

    /** Where a file of the coordinator's lies here: the same path where nothing else was said. */
    public String path(String onCoordinator) {
        return paths.getOrDefault(onCoordinator, onCoordinator);
    }
}

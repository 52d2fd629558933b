package dev.medley.record.folder;

/**
 * The identity of a run and of its process; written once, when it begins.
 *
 * @param name of the job
 * @param startedMillis when it began
 * @param command as the user gave it
 * @param version of Medley
 * @param process that coordinates it
 */
public record RunIdentity(
        String name, long startedMillis, String command, String version, RunProcess process) {
    /** The same maker of a run that began earlier. */
    RunIdentity startedAt(long millis) {
        return new RunIdentity(name, millis, command, version, process);
    }
}

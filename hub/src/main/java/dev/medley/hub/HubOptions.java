package dev.medley.hub;

import dev.medley.fleet.hub.HubRules;
import dev.medley.fleet.policy.Policy;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a hub.
 *
 * @param folder for all that it keeps
 * @param host on which machines join runs, as agents see it
 * @param credentials of this machine, made by medley certs; null on loopback
 * @param jobCommand that runs a job's process, to which its folder is added
 */
public record HubOptions(
        Path folder,
        String host,
        @Nullable Path credentials,
        Policy policy,
        HubRules rules,
        List<String> jobCommand) {
    public HubOptions {
        jobCommand = List.copyOf(jobCommand);
    }
}

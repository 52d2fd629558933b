package dev.medley.serving.host;

import dev.medley.serving.traffic.VersionTraffic;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Holds a name: where its versions come from, and those that are in memory.
 *
 * @param folder from which it is loaded again
 * @param versions that are ready, the one that answers by default last
 * @param trouble why it is not ready, where it is not
 * @param traffic by which requests that name no version are dealt out; null for none
 * @param swap that is under way while no version is loaded: requests wait for its end
 */
public record ModelEntry(
        Path folder,
        String version,
        List<ServedModel> versions,
        String trouble,
        @Nullable VersionTraffic traffic,
        @Nullable CompletableFuture<Void> swap) {
    public ModelEntry {
        versions = List.copyOf(versions);
    }

    ModelEntry(Path folder, String version, List<ServedModel> versions, String trouble) {
        this(folder, version, versions, trouble, null, null);
    }

    /** The same with other versions in memory. */
    ModelEntry with(List<ServedModel> others) {
        return new ModelEntry(folder, version, others, trouble, traffic, swap);
    }

    /** A version of it; null where it is not loaded. */
    @Nullable ServedModel find(String wanted) {
        return versions.stream()
                .filter(each -> each.name().version().equals(wanted))
                .reduce((first, later) -> later)
                .orElse(null);
    }

    /** The same whose requests are dealt out by a plan from now on; null for none. */
    ModelEntry directed(@Nullable VersionTraffic plan) {
        return new ModelEntry(folder, version, versions, trouble, plan, swap);
    }

    /** The one that answers where no version is asked for. */
    public @Nullable ServedModel current() {
        return versions.isEmpty() ? null : versions.get(versions.size() - 1);
    }
}

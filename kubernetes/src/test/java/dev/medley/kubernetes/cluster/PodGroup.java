package dev.medley.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Limits the processes of a pod to its cores, by a control group of this machine as a kubelet has
 * them. Where no group may be made, pods have no limit.
 */
final class PodGroup {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final long PERIOD_US = 100_000;
    private static final long PATIENCE_S = 10;

    private final Path folder;
    private final boolean isVersion1;

    private PodGroup(Path folder, boolean isVersion1) {
        this.folder = folder;
        this.isVersion1 = isVersion1;
    }

    /** Null for a pod without a limit of cores, or where groups cannot be made. */
    static @Nullable PodGroup of(Pod pod) {
        Quantity cores = cores(pod);
        if (cores == null) {
            return null;
        }
        boolean isVersion1 = Files.isDirectory(ROOT.resolve("cpu"));
        Path parent = isVersion1 ? ROOT.resolve("cpu") : ROOT;
        Path folder = parent.resolve("medley-pod-" + pod.getMetadata().getUid());
        try {
            Files.createDirectory(folder);
            PodGroup group = new PodGroup(folder, isVersion1);
            group.grant(cores);
            return group;
        } catch (IOException e) {
            folder.toFile().delete();
            return null;
        }
    }

    /** The cores that a pod's container may use; null for no limit. */
    static @Nullable Quantity cores(Pod pod) {
        ResourceRequirements needs = pod.getSpec().getContainers().get(0).getResources();
        Map<String, Quantity> limits = needs == null ? null : needs.getLimits();
        return limits == null ? null : limits.get("cpu");
    }

    void grant(Quantity cores) throws IOException {
        BigDecimal period = BigDecimal.valueOf(PERIOD_US);
        long quotaUs = cores.getNumericalAmount().multiply(period).longValue();
        if (isVersion1) {
            Files.writeString(folder.resolve("cpu.cfs_quota_us"), "" + quotaUs);
        } else {
            Files.writeString(folder.resolve("cpu.max"), quotaUs + " " + PERIOD_US);
        }
    }

    /** What to put before a command, so that it and its children belong to the group. */
    List<String> command() {
        String members = folder.resolve("cgroup.procs").toString();
        return List.of("sh", "-c", "echo $$ > " + members + " && exec \"$@\"", "sh");
    }

    /** The group goes when its last process has, and at the latest when this JVM ends. */
    void removeAfter(Process process) {
        Thread watch =
                new Thread(
                        () -> {
                            process.onExit().join();
                            remove();
                        },
                        "pod-group");
        watch.setDaemon(true);
        watch.start();
        Runtime.getRuntime().addShutdownHook(new Thread(this::remove));
    }

    private void remove() {
        for (ProcessHandle member : members()) {
            try {
                ProcessHandle unused = member.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                return; // It is not over: the group stays as long as that.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        folder.toFile().delete();
    }

    private List<ProcessHandle> members() {
        try (Stream<String> lines = Files.lines(folder.resolve("cgroup.procs"))) {
            return lines.map(pid -> ProcessHandle.of(Long.parseLong(pid)))
                    .flatMap(Optional::stream)
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}

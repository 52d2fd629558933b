package dev.medley.kubernetes.operator;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says in a sentence why a pod does not do its work, and what to do about it. */
final class PodTrouble {
    private static final Set<String> OF_IMAGE =
            Set.of("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull");
    private static final Set<String> OF_START =
            Set.of("CreateContainerError", "RunContainerError", "StartError", "CrashLoopBackOff");
    private static final Set<Integer> NO_COMMAND = Set.of(126, 127, 128);

    private PodTrouble() {}

    /** Of a pod that should be at work; empty while nothing is wrong with it. */
    static Optional<String> of(Pod pod) {
        if (pod.getStatus() == null) {
            return Optional.empty();
        }
        for (PodCondition condition : pod.getStatus().getConditions()) {
            if (condition.getType().equals("PodScheduled")
                    && condition.getStatus().equals("False")
                    && "Unschedulable".equals(condition.getReason())) {
                return Optional.of(
                        "no node takes pod %s: %s"
                                .formatted(name(pod), one(condition.getMessage())));
            }
        }
        for (ContainerStatus status : pod.getStatus().getContainerStatuses()) {
            Optional<String> trouble = of(pod, status);
            if (trouble.isPresent()) {
                return trouble;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> of(Pod pod, ContainerStatus status) {
        ContainerState state = status.getState();
        if (state == null) {
            return Optional.empty();
        }
        ContainerStateWaiting waiting = state.getWaiting();
        if (waiting != null && waiting.getReason() != null) {
            return ofWaiting(pod, status.getImage(), waiting);
        }
        ContainerStateTerminated end = state.getTerminated();
        return end == null || end.getExitCode() == 0 ? Optional.empty() : Optional.of(of(pod, end));
    }

    private static Optional<String> ofWaiting(
            Pod pod, String image, ContainerStateWaiting waiting) {
        String message = one(waiting.getMessage());
        if (OF_IMAGE.contains(waiting.getReason())) {
            return Optional.of(
                    ("image %s cannot be fetched for pod %s: %s; see spec.image and"
                                    + " spec.imagePullSecrets")
                            .formatted(image, name(pod), message));
        } else if (OF_START.contains(waiting.getReason())) {
            return Optional.of(notStarted(pod, image, message));
        } else if (waiting.getReason().equals("CreateContainerConfigError")) {
            return Optional.of("pod %s cannot be set up: %s".formatted(name(pod), message));
        }
        return Optional.empty();
    }

    private static String of(Pod pod, ContainerStateTerminated end) {
        String said = last(end.getMessage());
        if (NO_COMMAND.contains(end.getExitCode())) {
            return notStarted(pod, pod.getSpec().getContainers().get(0).getImage(), said);
        } else if ("OOMKilled".equals(end.getReason())) {
            return ("pod %s was ended for want of memory: give it more (resources.limits.memory),"
                            + " or the job smaller batches")
                    .formatted(name(pod));
        }
        return "pod %s ended with exit status %d%s"
                .formatted(name(pod), end.getExitCode(), said.isEmpty() ? "" : ": " + said);
    }

    private static String notStarted(Pod pod, @Nullable String image, String message) {
        return ("medley cannot be started in pod %s: %s; image %s needs Medley and a JDK 17 or"
                        + " later (docs/kubernetes.md)")
                .formatted(name(pod), message, image);
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getName();
    }

    /** The last line of what a process wrote: the error. */
    private static String last(@Nullable String text) {
        String all = text == null ? "" : text.strip();
        return one(all.substring(all.lastIndexOf('\n') + 1));
    }

    private static String one(@Nullable String text) {
        String line = text == null ? "nothing more is known" : text.replaceAll("\\s+", " ").strip();
        return line.length() > 600 ? line.substring(0, 600) + "…" : line;
    }
}

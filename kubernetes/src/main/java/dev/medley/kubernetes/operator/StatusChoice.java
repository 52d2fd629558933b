package dev.medley.kubernetes.operator;

import dev.medley.kubernetes.quota.WorkerCounts;
import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import dev.medley.kubernetes.resource.MedleyJobStatus.FlavorStatus;
import dev.medley.kubernetes.resource.MedleyJobStatus.JobPhaseName;
import dev.medley.kubernetes.resource.ProgressStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says what a job's status is, of what was seen of it. */
final class StatusChoice {
    private final MedleyJob job;
    private final MedleyJobSpec spec;
    private final ObservedJob seen;
    private final WorkerCounts counts;
    private final @Nullable String quota;
    private final @Nullable PodSetup late;
    private final Instant now;

    /** A phase, and the sentence that explains it. */
    private record PhaseAndWhy(JobPhaseName phase, String message) {}

    /**
     * @param quota what Jobs without quota wait for; null without a queue
     * @param late why one of its pods is not there; null if none is known to be late
     */
    StatusChoice(
            MedleyJob job,
            ObservedJob seen,
            WorkerCounts counts,
            @Nullable String quota,
            @Nullable PodSetup late,
            Instant now) {
        this.job = job;
        this.spec = job.getSpec();
        this.seen = seen;
        this.counts = counts;
        this.quota = quota;
        this.late = late;
        this.now = now;
    }

    /**
     * The status, without what the coordinator says.
     *
     * @param trouble that keeps it from being brought about; null for none
     */
    MedleyJobStatus of(@Nullable JobTrouble trouble) {
        List<FlavorStatus> flavors = new ArrayList<>();
        int ready = 0;
        for (Flavor flavor : spec.flavors()) {
            int there = seen.ready(flavor.name());
            ready += there;
            WorkerCounts.Count count = counts.of(flavor.name());
            flavors.add(new FlavorStatus(flavor.name(), count.workers(), there, why(flavor)));
        }
        PhaseAndWhy phase = trouble == null ? phase(ready) : phase(trouble);
        return new MedleyJobStatus(
                phase.phase(),
                phase.message(),
                job.getMetadata().getGeneration(),
                ready,
                flavors,
                conditions(phase),
                null);
    }

    private String why(Flavor flavor) {
        String ofCount = counts.of(flavor.name()).why();
        Job workers = seen.workers().get(flavor.name());
        String ofSize =
                workers == null
                        ? null
                        : PodResizes.note(job, flavor, workers, seen.pods(flavor.name()));
        return ofSize == null ? ofCount : ofCount + "; " + ofSize;
    }

    private static PhaseAndWhy phase(JobTrouble trouble) {
        return new PhaseAndWhy(
                trouble.isRefusal() ? JobPhaseName.Refused : JobPhaseName.Pending,
                trouble.sentence());
    }

    private PhaseAndWhy phase(int ready) {
        if (spec.isSuspended()) {
            boolean isOver = seen.pods().stream().allMatch(StatusChoice::hasEnded);
            return new PhaseAndWhy(
                    JobPhaseName.Suspended,
                    isOver
                            ? "suspend is true: no pod is there; suspend: false goes on with the"
                                    + " run"
                            : "suspend is true: pods end their step and leave");
        }
        Optional<Job> coordinator = seen.coordinator();
        if (coordinator.isEmpty()) {
            return new PhaseAndWhy(JobPhaseName.Pending, "its objects are being made");
        } else if (ObservedJob.has(coordinator.get(), "Complete")) {
            return new PhaseAndWhy(JobPhaseName.Completed, said("the run is done"));
        } else if (ObservedJob.has(coordinator.get(), "Failed")) {
            return new PhaseAndWhy(JobPhaseName.Failed, failure());
        }
        Optional<Pod> pod = seen.coordinatorPods().stream().reduce((a, b) -> b);
        boolean isRunning =
                pod.isPresent()
                        && pod.get().getStatus() != null
                        && "Running".equals(pod.get().getStatus().getPhase());
        String waits = waiting(ready);
        if (!isRunning) {
            return new PhaseAndWhy(
                    JobPhaseName.Pending,
                    pod.flatMap(this::trouble)
                            .or(() -> quota(coordinator.get()))
                            .or(() -> late(coordinator.get()))
                            .orElse("waits for its coordinator's pod"));
        }
        return ready < spec.least()
                ? new PhaseAndWhy(JobPhaseName.Pending, waits)
                : new PhaseAndWhy(JobPhaseName.Running, waits);
    }

    /** How many workers are there, and what the next one waits for. */
    private String waiting(int ready) {
        int wanted = counts.byFlavor().values().stream().mapToInt(c -> c.workers()).sum();
        String there = "%d of %d workers are there".formatted(ready, wanted);
        if (ready >= wanted) {
            return there;
        }
        return seen.pods().stream()
                .filter(pod -> !ObservedJob.isReady(pod) && !hasEnded(pod))
                .flatMap(pod -> trouble(pod).stream())
                .findFirst()
                .or(() -> lastFailed())
                .or(
                        () ->
                                seen.workers().values().stream()
                                        .flatMap(
                                                workers ->
                                                        quota(workers)
                                                                .or(() -> late(workers))
                                                                .stream())
                                        .findFirst())
                .map(why -> there + "; " + why)
                .orElse(there);
    }

    private Optional<String> trouble(Pod pod) {
        return PodTrouble.of(pod).or(() -> late(pod));
    }

    private Optional<String> late(HasMetadata object) {
        return Optional.ofNullable(late)
                .filter(l -> l.uid().equals(object.getMetadata().getUid()))
                .map(PodSetup::why);
    }

    /** Kueue lets a Job begin where it gives quota. */
    private Optional<String> quota(Job waiting) {
        return Boolean.TRUE.equals(waiting.getSpec().getSuspend())
                ? Optional.ofNullable(quota)
                : Optional.empty();
    }

    /** A worker that ended by itself says why the flavor has fewer than it should. */
    private Optional<String> lastFailed() {
        return seen.workers().keySet().stream()
                .flatMap(flavor -> seen.pods(flavor).stream())
                .filter(StatusChoice::hasEnded)
                .flatMap(pod -> PodTrouble.of(pod).stream())
                .reduce((a, b) -> b);
    }

    private String failure() {
        return seen.coordinatorPods().stream()
                .flatMap(pod -> PodTrouble.of(pod).stream())
                .reduce((a, b) -> b)
                .orElseGet(() -> said("the coordinator's Job failed"));
    }

    private String said(String otherwise) {
        ProgressStatus progress = job.getStatus() == null ? null : job.getStatus().progress();
        return progress == null || progress.message() == null ? otherwise : progress.message();
    }

    private static boolean hasEnded(Pod pod) {
        String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
        return "Succeeded".equals(phase) || "Failed".equals(phase);
    }

    private List<Condition> conditions(PhaseAndWhy phase) {
        JobPhaseName name = phase.phase();
        return List.of(
                condition("Accepted", name != JobPhaseName.Refused, phase),
                condition("Running", name == JobPhaseName.Running, phase),
                condition("Complete", name == JobPhaseName.Completed, phase),
                condition("Failed", name == JobPhaseName.Failed, phase));
    }

    private Condition condition(String type, boolean isTrue, PhaseAndWhy phase) {
        String status = isTrue ? "True" : "False";
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(phase.phase().name())
                .withMessage(phase.message())
                .withLastTransitionTime(since(type, status))
                .withObservedGeneration(job.getMetadata().getGeneration())
                .build();
    }

    private String since(String type, String status) {
        MedleyJobStatus before = job.getStatus();
        if (before != null && before.conditions() != null) {
            for (Condition condition : before.conditions()) {
                if (condition.getType().equals(type) && condition.getStatus().equals(status)) {
                    return condition.getLastTransitionTime();
                }
            }
        }
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}

package dev.medley.kubernetes.operator;

import dev.medley.base.time.Clock;
import dev.medley.kubernetes.desired.DesiredState;
import dev.medley.kubernetes.desired.ObjectNames;
import dev.medley.kubernetes.desired.OperatorDefaults;
import dev.medley.kubernetes.quota.KueueQuota;
import dev.medley.kubernetes.quota.QuantityCheck;
import dev.medley.kubernetes.quota.WorkerCounts;
import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import dev.medley.kubernetes.resource.MedleyJobStatus.JobPhaseName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Brings about what a MedleyJob says, each time that it or one of its objects has changed. */
final class JobReconciler implements Reconciler<MedleyJob> {
    private final ClusterChanges changes;
    private final JoinSecrets secrets;
    private final OperatorDefaults defaults;
    private final Clock clock;
    private final SetupEvents events;

    @Nullable private JobObjects objects;
    @Nullable private KueueObjects kueue; // Null where Kueue is not there.

    JobReconciler(
            ClusterChanges changes, JoinSecrets secrets, OperatorDefaults defaults, Clock clock) {
        this.changes = changes;
        this.secrets = secrets;
        this.defaults = defaults;
        this.clock = clock;
        this.events = new SetupEvents(clock);
    }

    @Override
    public List<EventSource<?, MedleyJob>> prepareEventSources(
            EventSourceContext<MedleyJob> context) {
        JobObjects made = new JobObjects(context);
        objects = made;
        List<EventSource<?, MedleyJob>> all = new ArrayList<>(made.sources());
        if (KueueObjects.areThere(context.getClient())) {
            KueueObjects queues = new KueueObjects(context);
            kueue = queues;
            all.addAll(queues.sources());
        }
        return all;
    }

    @Override
    public UpdateControl<MedleyJob> reconcile(MedleyJob job, Context<MedleyJob> context) {
        JobObjects cached = Objects.requireNonNull(objects);
        if (context.isPrimaryResourceDeleted()
                || job.getMetadata().getDeletionTimestamp() != null) {
            events.forget(job);
            return UpdateControl.noUpdate();
        }
        ObservedJob seen = cached.observed(job);
        Optional<String> refusal = refusal(job, seen);
        WorkerCounts counts =
                refusal.isPresent() ? WorkerCounts.most(job.getSpec()) : counts(job, seen);
        JobTrouble trouble = refusal.map(JobTrouble::ofJob).orElse(null);
        Optional<Duration> again = Optional.empty();
        if (trouble == null && !isOver(job, seen)) {
            try {
                bringAbout(job, seen, counts, cached);
                again = turns(job, cached);
            } catch (TakenException e) {
                trouble = e.trouble();
            } catch (KubernetesClientException e) {
                trouble = JobTrouble.of(e);
            }
        } else if (trouble == null) {
            seen.workers().values().forEach(changes::delete);
        }
        PodSetup late = events.of(job, seen, now(), context.getClient()).orElse(null);
        tell(job, new StatusChoice(job, seen, counts, quota(job, seen), late, now()).of(trouble));
        if (trouble != null) {
            again = Optional.ofNullable(trouble.again());
        } else if (again.isEmpty() && seen.isToBeAsked()) {
            again = Optional.of(PodSetup.AGAIN);
        }
        return again.map(UpdateControl.<MedleyJob>noUpdate()::rescheduleAfter)
                .orElseGet(UpdateControl::noUpdate);
    }

    private Optional<String> refusal(MedleyJob job, ObservedJob seen) {
        Optional<String> unsound =
                Optional.ofNullable(job.getSpec().unreadable())
                        .or(() -> QuantityCheck.refusal(job.getSpec()));
        if (unsound.isPresent() || seen.coordinator().isPresent()) {
            return unsound; // A file that was good enough to begin with is not changed.
        }
        String queue = job.getSpec().queue();
        return queue != null && kueue == null
                ? Optional.of(
                        ("spec.queue is %s, and there was no Kueue (%s) when this operator"
                                        + " started: install Kueue and start the operator anew, or"
                                        + " leave out spec.queue")
                                .formatted(queue, KueueQuota.GROUP + "/" + KueueQuota.VERSION))
                : JobFileCheck.refusal(job);
    }

    /** Without a queue as many as are allowed; with one, what its quota leaves. */
    private WorkerCounts counts(MedleyJob job, ObservedJob seen) {
        String queue = job.getSpec().queue();
        KueueObjects queues = kueue;
        return queue == null || queues == null || isOver(job, seen)
                ? WorkerCounts.most(job.getSpec())
                : queues.counts(job, Objects.requireNonNull(objects), now().toEpochMilli() / 1e3);
    }

    private @Nullable String quota(MedleyJob job, ObservedJob seen) {
        KueueObjects queues = kueue;
        return job.getSpec().queue() == null || queues == null ? null : queues.waiting(job, seen);
    }

    private Optional<Duration> turns(MedleyJob job, JobObjects cached) {
        KueueObjects queues = kueue;
        return job.getSpec().queue() == null || queues == null
                ? Optional.empty()
                : new KueueTurns(queues, changes).take(job, cached, now());
    }

    private static boolean isOver(MedleyJob job, ObservedJob seen) {
        MedleyJobStatus status = job.getStatus();
        boolean wasOver = status != null && status.phase() != null && status.phase().isEnd();
        return wasOver
                || seen.coordinator()
                        .filter(c -> ObservedJob.has(c, "Complete") || ObservedJob.has(c, "Failed"))
                        .isPresent();
    }

    private void bringAbout(
            MedleyJob job, ObservedJob seen, WorkerCounts counts, JobObjects cached) {
        if (job.getSpec().isSuspended()) {
            seen.coordinator().ifPresent(changes::delete);
            seen.workers().values().forEach(changes::delete);
            return;
        }
        for (HasMetadata wished : DesiredState.shared(job)) {
            apply(job, wished, cached);
        }
        if (cached.find(Secret.class, job, ObjectNames.join(job)).isEmpty()) {
            changes.create(DesiredState.join(job, secrets.material(job.namespace())));
        }
        if (seen.coordinator().isEmpty()) {
            // Each by itself: somebody may have deleted one, or given the account other rights.
            DesiredState.ofNamespace(job.namespace()).stream()
                    .filter(object -> !changes.isThere(object))
                    .forEach(changes::create);
            create(job, DesiredState.coordinator(job, defaults), cached);
        }
        List<String> wanted = new ArrayList<>();
        for (Flavor flavor : job.getSpec().flavors()) {
            wanted.add(flavor.name());
            int count = counts.of(flavor.name()).workers();
            Job there = seen.workers().get(flavor.name());
            if (there == null) {
                create(job, DesiredState.workers(job, defaults, flavor, count), cached);
            } else if (ObservedJob.isToScale(there, count)) {
                cached.recent(changes.scale(there, count), there);
                changes.event(
                        job,
                        "Normal",
                        "Scaled",
                        "%s from %d to %d workers: %s"
                                .formatted(
                                        flavor.name(),
                                        there.getSpec().getParallelism(),
                                        count,
                                        counts.of(flavor.name()).why()));
            }
            if (there != null) {
                new PodResizes(changes).bringAbout(job, flavor, there, seen.pods(flavor.name()));
            }
        }
        seen.workers()
                .forEach(
                        (flavor, workers) -> {
                            if (!wanted.contains(flavor)) {
                                changes.delete(workers);
                            }
                        });
    }

    private void create(MedleyJob job, Job wished, JobObjects cached) {
        // Jobs' pods cannot be changed: one that is there is kept as it is.
        if (cached.find(Job.class, job, wished.getMetadata().getName()).isEmpty()) {
            changes.create(wished);
        }
    }

    private <T extends HasMetadata> void apply(MedleyJob job, T wished, JobObjects cached) {
        @SuppressWarnings("unchecked")
        Class<T> type = (Class<T>) wished.getClass();
        T seen = cached.find(type, job, wished.getMetadata().getName()).orElse(null);
        changes.apply(wished, seen);
    }

    private void tell(MedleyJob job, MedleyJobStatus status) {
        MedleyJobStatus before =
                job.getStatus() == null ? MedleyJobStatus.NONE : job.getStatus().withoutProgress();
        if (status.equals(before)) {
            return;
        }
        changes.status(job, status);
        JobPhaseName phase = status.phase();
        boolean isNews =
                phase != before.phase()
                        || (phase != JobPhaseName.Running
                                && !Objects.equals(status.message(), before.message()));
        if (isNews && phase != null) {
            boolean isBad = phase == JobPhaseName.Refused || phase == JobPhaseName.Failed;
            changes.event(
                    job,
                    isBad ? "Warning" : "Normal",
                    phase.name(),
                    String.valueOf(status.message()));
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.wallMillis());
    }
}

package dev.medley.kubernetes.run;

import dev.medley.base.Json;
import dev.medley.kubernetes.client.ClusterAccess;
import dev.medley.kubernetes.resource.MedleyJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that one coordinator at a time has a job's run, by a Lease that it renews. An API
 * server that is away for a minute ends no run: nobody can take a lease from it then. A pod that is
 * cut off from it for longer ends before another one may begin. Where the pod that has the lease is
 * over, the next does not wait.
 *
 * <p>Thread: any; {@code lost} is called on the thread that renews.
 */
public final class PodLease implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PodLease.class);
    private static final Duration DURATION = Duration.ofSeconds(90);
    private static final Duration RENEWAL = Duration.ofSeconds(75);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final CompletableFuture<?> election;
    private final AtomicBoolean isGivenBack;

    private PodLease(CompletableFuture<?> election, AtomicBoolean isGivenBack) {
        this.election = election;
        this.isGivenBack = isGivenBack;
    }

    /**
     * Waits until this process has the lease.
     *
     * @param uid of the MedleyJob, with which the lease goes
     * @param holder of this process: POD/UID
     * @param says who is waited for
     * @param lost what happens when another may take the run
     */
    public static PodLease take(
            ClusterAccess cluster,
            JobAddress job,
            String uid,
            String holder,
            Consumer<String> says,
            Runnable lost)
            throws InterruptedException {
        CompletableFuture<Boolean> has = new CompletableFuture<>();
        AtomicBoolean isGivenBack = new AtomicBoolean();
        freeIfOver(cluster, job, holder);
        Runnable ended =
                () -> {
                    if (!isGivenBack.get()) {
                        lost.run();
                    }
                };
        CompletableFuture<?> election =
                cluster.client()
                        .leaderElector()
                        .withConfig(
                                new LeaderElectionConfigBuilder()
                                        .withName(job.toString())
                                        .withLeaseDuration(DURATION)
                                        .withRenewDeadline(RENEWAL)
                                        .withRetryPeriod(RETRY)
                                        .withReleaseOnCancel(true)
                                        .withLock(
                                                new LeaseLock(job.namespace(), job.name(), holder))
                                        .withLeaderCallbacks(
                                                new LeaderCallbacks(
                                                        () -> has.complete(true), ended, any -> {}))
                                        .build())
                        .build()
                        .start();
        CompletableFuture<?> unusedWatch =
                election.whenComplete(
                        (any, failure) -> {
                            if (failure != null) {
                                has.completeExceptionally(failure);
                            }
                        });
        while (true) {
            try {
                Boolean unused = has.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                belongTo(uid, cluster, job);
                return new PodLease(election, isGivenBack);
            } catch (TimeoutException e) {
                String other = freeIfOver(cluster, job, holder);
                says.accept("waits for the lease %s, which pod %s has".formatted(job, other));
            } catch (ExecutionException e) {
                throw new IllegalStateException(
                        "the lease %s cannot be had: %s".formatted(job, e.getCause()), e);
            }
        }
    }

    /** Nobody deletes a lease but who deletes its owner. */
    private static void belongTo(String uid, ClusterAccess cluster, JobAddress job) {
        String patch =
                Json.line(
                        Map.of(
                                "metadata",
                                Map.of(
                                        "ownerReferences",
                                        List.of(
                                                Map.of(
                                                        "apiVersion",
                                                        HasMetadata.getApiVersion(MedleyJob.class),
                                                        "kind",
                                                        HasMetadata.getKind(MedleyJob.class),
                                                        "name",
                                                        job.name(),
                                                        "uid",
                                                        uid)))));
        try {
            Lease unused =
                    cluster.client()
                            .leases()
                            .inNamespace(job.namespace())
                            .withName(job.name())
                            .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        } catch (KubernetesClientException e) {
            LOG.warn("The lease {} stays when its job is deleted: {}", job, e.getMessage());
        }
    }

    /** Frees the lease where the pod that has it does not run any more; says whose it was. */
    private static String freeIfOver(ClusterAccess cluster, JobAddress job, String holder) {
        String other = "?";
        try {
            Lease lease =
                    cluster.client()
                            .leases()
                            .inNamespace(job.namespace())
                            .withName(job.name())
                            .get();
            String named = lease == null ? null : lease.getSpec().getHolderIdentity();
            if (lease == null || named == null || named.isEmpty() || named.equals(holder)) {
                return "nobody";
            }
            other = named.replaceAll("/.*", "");
            if (isOver(cluster, job.namespace(), other, named.substring(other.length()))) {
                Lease free = new LeaseBuilder(lease).build();
                free.getSpec().setHolderIdentity("");
                Lease unused = cluster.client().resource(free).lockResourceVersion().update();
            }
        } catch (KubernetesClientException e) {
            LOG.debug("The lease {} cannot be looked at now", job, e);
        }
        return other;
    }

    private static boolean isOver(
            ClusterAccess cluster, String namespace, String pod, String slashUid) {
        Pod there = cluster.client().pods().inNamespace(namespace).withName(pod).get();
        return there == null
                || !("/" + there.getMetadata().getUid()).equals(slashUid)
                || Set.of("Succeeded", "Failed").contains(there.getStatus().getPhase());
    }

    /** Gives it back, so that the next coordinator need not wait. */
    @Override
    public void close() {
        isGivenBack.set(true);
        election.cancel(true);
    }
}

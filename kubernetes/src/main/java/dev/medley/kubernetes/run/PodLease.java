package dev.medley.kubernetes.run;

import dev.medley.base.Json;
import dev.medley.kubernetes.client.ClusterAccess;
import dev.medley.kubernetes.resource.MedleyJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
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
 * cut off from it for longer ends before another one may begin, also where its requests hang: each
 * has a few seconds, and is not tried again by the client, but at the next renewal. Where the pod
 * that has the lease is over, the next does not wait.
 *
 * <p>Thread: any; {@code lost} is called on the thread that renews.
 */
public final class PodLease implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PodLease.class);
    private static final Duration LOOK = Duration.ofSeconds(5);

    /**
     * How long all takes. A renewal is two requests: a holder that is cut off knows it after {@code
     * renewal}, twice {@code request} and {@code retry} at most, which is less than {@code
     * duration}.
     *
     * @param duration after which another pod may take a lease that is not renewed
     * @param renewal after which a holder gives up that could not renew it
     * @param retry between renewals
     * @param request that an API server has to answer one request
     */
    record Terms(Duration duration, Duration renewal, Duration retry, Duration request) {
        static final Terms USUAL =
                new Terms(
                        Duration.ofSeconds(90),
                        Duration.ofSeconds(75),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(5));

        Terms {
            Duration latest = renewal.plus(request.multipliedBy(2)).plus(retry);
            if (latest.compareTo(duration) >= 0) {
                throw new IllegalArgumentException(
                        "a holder may end after %s, and another begin after %s"
                                .formatted(latest, duration));
            }
        }
    }

    private final CompletableFuture<?> election;
    private final AtomicBoolean isGivenBack;
    private final KubernetesClient client;

    private PodLease(
            CompletableFuture<?> election, AtomicBoolean isGivenBack, KubernetesClient client) {
        this.election = election;
        this.isGivenBack = isGivenBack;
        this.client = client;
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
        return take(cluster, job, uid, holder, says, lost, Terms.USUAL);
    }

    static PodLease take(
            ClusterAccess cluster,
            JobAddress job,
            String uid,
            String holder,
            Consumer<String> says,
            Runnable lost,
            Terms terms)
            throws InterruptedException {
        KubernetesClient client = prompt(cluster, terms.request());
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
                client.leaderElector()
                        .withConfig(
                                new LeaderElectionConfigBuilder()
                                        .withName(job.toString())
                                        .withLeaseDuration(terms.duration())
                                        .withRenewDeadline(terms.renewal())
                                        .withRetryPeriod(terms.retry())
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
                return new PodLease(election, isGivenBack, client);
            } catch (TimeoutException e) {
                String other = freeIfOver(cluster, job, holder);
                says.accept("waits for the lease %s, which pod %s has".formatted(job, other));
            } catch (ExecutionException e) {
                throw new IllegalStateException(
                        "the lease %s cannot be had: %s".formatted(job, e.getCause()), e);
            }
        }
    }

    /**
     * A client of the same cluster whose requests end soon. The usual one tries a request that
     * fails ten times, with ten seconds for each: minutes, in which another pod may have the lease.
     */
    private static KubernetesClient prompt(ClusterAccess cluster, Duration request) {
        Config config =
                new ConfigBuilder(cluster.client().getConfiguration())
                        .withRequestTimeout(Math.toIntExact(request.toMillis()))
                        .withConnectionTimeout(Math.toIntExact(request.toMillis()))
                        .withRequestRetryBackoffLimit(0)
                        .build();
        return new KubernetesClientBuilder().withConfig(config).build();
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
        client.close();
    }
}

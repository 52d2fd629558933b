package dev.medley.kubernetes.operator;

import dev.medley.base.time.Clock;
import dev.medley.kubernetes.client.ClusterAccess;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RuntimeInfo;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Watches MedleyJobs and brings about what they say: an operator at work. */
public final class OperatorRun implements AutoCloseable {
    private static final Duration SYNC = Duration.ofMinutes(2);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LAST_RETRY = Duration.ofSeconds(30);

    private final Operator operator;
    private final ClusterChanges changes;
    private final @Nullable OperatorHealth health;

    private OperatorRun(
            Operator operator, ClusterChanges changes, @Nullable OperatorHealth health) {
        this.operator = operator;
        this.changes = changes;
        this.health = health;
    }

    /**
     * Starts one. It works on its own threads until it is closed.
     *
     * @throws dev.medley.base.ConfigException if the cluster does not know MedleyJobs
     */
    public static OperatorRun start(ClusterAccess cluster, OperatorOptions options, Clock clock) {
        cluster.requireDefinition();
        ClusterChanges changes = new ClusterChanges(cluster.client(), clock);
        Operator operator =
                new Operator(
                        o -> {
                            o.withKubernetesClient(cluster.client())
                                    .withCloseClientOnStop(false)
                                    .withCacheSyncTimeout(SYNC)
                                    .withConcurrentReconciliationThreads(options.threads())
                                    .withStopOnInformerErrorDuringStartup(true);
                            if (!options.lease().isEmpty()) {
                                o.withLeaderElectionConfiguration(
                                        new LeaderElectionConfiguration(
                                                "medley-operator", options.lease()));
                            }
                        });
        JobReconciler reconciler =
                new JobReconciler(
                        changes,
                        new JoinSecrets(cluster.client(), clock),
                        options.defaults(),
                        clock);
        GenericRetry retry =
                new GenericRetry()
                        .setInitialInterval(FIRST_RETRY)
                        .setIntervalMultiplier(2)
                        .setMaxInterval(LAST_RETRY.toMillis())
                        .withoutMaxAttempts();
        operator.register(
                reconciler,
                o -> {
                    o.withRetry(retry);
                    if (!options.namespaces().isEmpty()) {
                        o.settingNamespaces(options.namespaces());
                    }
                });
        operator.start();
        RuntimeInfo seen = operator.getRuntimeInfo();
        OperatorHealth health =
                options.health() == null
                        ? null
                        : OperatorHealth.tell(
                                options.health(),
                                () -> seen.isStarted() && seen.allEventSourcesAreHealthy());
        return new OperatorRun(operator, changes, health);
    }

    /** How many writes to the API server there were, by what was written. */
    public Map<String, Long> writes() {
        return changes.writes();
    }

    @Override
    public void close() {
        if (health != null) {
            health.close();
        }
        operator.stop();
    }
}

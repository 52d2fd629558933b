package dev.medley.kubernetes.client;

import dev.medley.base.ConfigException;
import dev.medley.kubernetes.resource.JobDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Connects to a cluster: the one that kubectl would take, by KUBECONFIG, ~/.kube/config, or the
 * account of the pod that this process is in.
 */
public final class ClusterAccess implements AutoCloseable {
    private static final int FORBIDDEN = 403;
    private static final int UNAUTHORIZED = 401;

    private final KubernetesClient client;

    /** Over a client that is there; closing this closes it. */
    public ClusterAccess(KubernetesClient client) {
        this.client = client;
    }

    /**
     * As kubectl finds it.
     *
     * @param context of the configuration; null for its current one
     * @throws ConfigException if there is none
     */
    public static ClusterAccess usual(@Nullable String context) {
        Config config = Config.autoConfigure(context);
        ConfigException.check(
                config.getMasterUrl() != null
                        && !config.getMasterUrl().contains("kubernetes.default"),
                "no cluster is known here: set KUBECONFIG, or write %s, as for kubectl",
                Path.of(System.getProperty("user.home"), ".kube", "config"));
        return new ClusterAccess(new KubernetesClientBuilder().withConfig(config).build());
    }

    /** The client. */
    public KubernetesClient client() {
        return client;
    }

    /** Where its API server is. */
    public String url() {
        return client.getMasterUrl().toString();
    }

    /** The namespace that the configuration names, or default. */
    public String namespace() {
        String named = client.getNamespace();
        return named == null || named.isEmpty() ? "default" : named;
    }

    /**
     * Complains unless the cluster knows MedleyJobs.
     *
     * @throws ConfigException if it does not, or does not answer
     */
    public void requireDefinition() {
        try {
            boolean isKnown =
                    client.getApiResources("medley.dev/v1") != null
                            && client.getApiResources("medley.dev/v1").getResources().stream()
                                    .anyMatch(r -> r.getKind().equals("MedleyJob"));
            ConfigException.check(
                    isKnown,
                    "the cluster at %s does not know %s: medley kubernetes install | kubectl apply"
                            + " -f -",
                    client.getMasterUrl(),
                    JobDefinition.NAME);
        } catch (KubernetesClientException e) {
            throw said(e);
        }
    }

    /** What an answer means for the user. */
    public ConfigException said(KubernetesClientException e) {
        String at = client.getMasterUrl().toString();
        String message =
                e.getStatus() == null || e.getStatus().getMessage() == null
                        ? String.valueOf(e.getCause() == null ? e.getMessage() : e.getCause())
                        : e.getStatus().getMessage();
        String sentence =
                switch (e.getCode()) {
                    case UNAUTHORIZED ->
                            "the cluster at %s does not know who asks: log in again, as for kubectl"
                                    + " (%s)";
                    case FORBIDDEN -> "the cluster at %s does not allow it: %s";
                    case 0 -> "the cluster at %s does not answer: %s";
                    default -> "the cluster at %s refuses it: %s";
                };
        return new ConfigException(sentence.formatted(at, message), e);
    }

    @Override
    public void close() {
        client.close();
    }
}

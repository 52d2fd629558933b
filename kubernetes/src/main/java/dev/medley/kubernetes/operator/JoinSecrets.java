package dev.medley.kubernetes.operator;

import dev.medley.api.agent.SharedIdentity;
import dev.medley.base.time.Clock;
import dev.medley.kubernetes.desired.JoinMaterial;
import dev.medley.kubernetes.desired.ObjectNames;
import dev.medley.net.tls.JoinCredentials;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import java.util.Objects;

/**
 * Makes what the pods of a job join each other with. A namespace has one certificate, whose
 * authority is thrown away once it is made; each job has a token of its own, without which nobody
 * joins it.
 *
 * <p>Thread: any.
 */
final class JoinSecrets {
    private static final int CONFLICT = 409;

    private final KubernetesClient client;
    private final Clock clock;

    JoinSecrets(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** For a job of that namespace, with a new token. */
    JoinMaterial material(String namespace) {
        return new JoinMaterial(identity(namespace), SharedIdentity.token());
    }

    private String identity(String namespace) {
        var place = client.secrets().inNamespace(namespace).withName(ObjectNames.IDENTITY);
        Secret there = place.get();
        if (there == null) {
            Secret made =
                    new SecretBuilder()
                            .withNewMetadata()
                            .withName(ObjectNames.IDENTITY)
                            .withNamespace(namespace)
                            .withLabels(Map.of(ObjectNames.MANAGER, ObjectNames.MEDLEY))
                            .endMetadata()
                            .withType("medley.dev/identity")
                            .withData(
                                    Map.of(
                                            JoinCredentials.IDENTITY,
                                            SharedIdentity.certificate(clock)))
                            .build();
            try {
                there = client.resource(made).create();
            } catch (KubernetesClientException e) {
                if (e.getCode() != CONFLICT) {
                    throw e;
                }
                there = place.require(); // Another operator was faster.
            }
        }
        return Objects.requireNonNull(
                there.getData().get(JoinCredentials.IDENTITY),
                () -> "secret " + ObjectNames.IDENTITY + " has no " + JoinCredentials.IDENTITY);
    }
}

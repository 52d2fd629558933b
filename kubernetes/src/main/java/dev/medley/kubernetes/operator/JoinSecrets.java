package dev.medley.kubernetes.operator;

import dev.medley.base.time.Clock;
import dev.medley.kubernetes.desired.JoinMaterial;
import dev.medley.kubernetes.desired.ObjectNames;
import dev.medley.net.certs.ClusterFolder;
import dev.medley.net.tls.JoinCredentials;
import dev.medley.store.file.AtomicFolder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes what the pods of a job join each other with. A namespace has one certificate, whose
 * authority is thrown away once it is made; each job has a token of its own, without which nobody
 * joins it.
 *
 * <p>Thread: any.
 */
final class JoinSecrets {
    private static final int CONFLICT = 409;
    private static final int TOKEN_BYTES = 32;

    private final KubernetesClient client;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, String> identities = new ConcurrentHashMap<>();

    JoinSecrets(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** For a job of that namespace, with a new token. */
    JoinMaterial material(String namespace) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        String token = HexFormat.of().formatHex(bytes) + "\n";
        return new JoinMaterial(
                identities.computeIfAbsent(namespace, this::identity),
                Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.US_ASCII)));
    }

    /** The namespace is not there any more, or its secret was taken away. */
    void forget(String namespace) {
        identities.remove(namespace);
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
                            .withData(Map.of(JoinCredentials.IDENTITY, certificate()))
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

    private String certificate() {
        try {
            Path draft = Files.createTempDirectory("medley-identity-");
            try {
                ClusterFolder.Made made =
                        new ClusterFolder(draft.resolve("certs"), clock)
                                .make(List.of("pod"), ClusterFolder.MOST_DAYS);
                Path identity = made.machines().get(0).folder().resolve(JoinCredentials.IDENTITY);
                return Base64.getEncoder().encodeToString(Files.readAllBytes(identity));
            } finally {
                AtomicFolder.delete(draft);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

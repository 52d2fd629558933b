package dev.medley.kubernetes.install;

import dev.medley.api.agent.SharedIdentity;
import dev.medley.base.time.Clock;
import dev.medley.kubernetes.desired.DesiredState;
import dev.medley.kubernetes.desired.JoinMaterial;
import dev.medley.kubernetes.desired.OperatorDefaults;
import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.JobDefinition;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.net.tls.JoinCredentials;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes what is applied to a cluster as YAML. */
public final class Installation {
    private static final String USUAL_IMAGE = "THE-OPERATORS-IMAGE";

    private Installation() {}

    /**
     * The definition of MedleyJob, and an operator for all namespaces.
     *
     * @param namespace of the operator
     * @param image of it, and of jobs that name none
     */
    public static String yaml(String namespace, String image) {
        return JobDefinition.yaml()
                + "---\n"
                + resource("operator.yaml")
                        .replace("OPERATOR_NAMESPACE", namespace)
                        .replace("OPERATOR_IMAGE", quoted(image));
    }

    /**
     * A runtime by which an unchanged TrainJob of Kubeflow's Trainer trains with Medley, and the
     * secret by which pods of a namespace's TrainJobs know each other.
     */
    public static String trainer(String namespace, String image, Clock clock) {
        Secret join =
                new SecretBuilder()
                        .withNewMetadata()
                        .withName("medley-join")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withData(
                                Map.of(
                                        JoinCredentials.IDENTITY,
                                        SharedIdentity.certificate(clock),
                                        JoinCredentials.TOKEN,
                                        SharedIdentity.token()))
                        .build();
        return resource("runtime.yaml").replace("RUNTIME_IMAGE", quoted(image))
                + new KubernetesSerialization().asYaml(join);
    }

    /** What the operator makes of a job, as documents; its secret's contents stay out. */
    public static String objects(MedleyJob job) {
        OperatorDefaults defaults = OperatorDefaults.of(USUAL_IMAGE);
        List<HasMetadata> all = new ArrayList<>();
        all.addAll(DesiredState.ofNamespace(job.namespace()));
        all.addAll(DesiredState.shared(job));
        all.add(DesiredState.join(job, new JoinMaterial("", "")));
        all.add(DesiredState.coordinator(job, defaults));
        for (Flavor flavor : job.getSpec().flavors()) {
            all.add(DesiredState.workers(job, defaults, flavor, flavor.max()));
        }
        KubernetesSerialization serialization = new KubernetesSerialization();
        StringBuilder text = new StringBuilder();
        all.forEach(object -> text.append(serialization.asYaml(object)));
        return text.toString();
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private static String resource(String name) {
        try (InputStream in = Installation.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

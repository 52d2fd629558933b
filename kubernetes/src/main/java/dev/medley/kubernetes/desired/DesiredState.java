package dev.medley.kubernetes.desired;

import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.MedleyJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Says which objects a job wants in its namespace, in the order in which they are made. */
public final class DesiredState {
    private static final Map<String, String> LABELS =
            Map.of(ObjectNames.MANAGER, ObjectNames.MEDLEY);

    private DesiredState() {}

    /**
     * What a namespace with jobs has once: the account of coordinators. They read and write their
     * leases and say how far they are; they may not start anything.
     */
    public static List<HasMetadata> ofNamespace(String namespace) {
        return List.of(
                new RoleBuilder()
                        .withNewMetadata()
                        .withName(ObjectNames.ACCOUNT)
                        .withNamespace(namespace)
                        .withLabels(LABELS)
                        .endMetadata()
                        .withRules(coordinatorRights())
                        .build(),
                new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName(ObjectNames.ACCOUNT)
                        .withNamespace(namespace)
                        .withLabels(LABELS)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", ObjectNames.ACCOUNT)
                        .addNewSubject()
                        .withKind("ServiceAccount")
                        .withName(ObjectNames.ACCOUNT)
                        .withNamespace(namespace)
                        .endSubject()
                        .build(),
                account(namespace));
    }

    private static HasMetadata account(String namespace) {
        return new ServiceAccountBuilder()
                .withNewMetadata()
                .withName(ObjectNames.ACCOUNT)
                .withNamespace(namespace)
                .withLabels(LABELS)
                .endMetadata()
                .build();
    }

    private static List<PolicyRule> coordinatorRights() {
        return List.of(
                new PolicyRuleBuilder()
                        .withApiGroups("coordination.k8s.io")
                        .withResources("leases")
                        .withVerbs("get", "create", "update", "patch")
                        .build(),
                // Whether the pod that had the lease is over.
                new PolicyRuleBuilder()
                        .withApiGroups("")
                        .withResources("pods")
                        .withVerbs("get")
                        .build(),
                new PolicyRuleBuilder()
                        .withApiGroups("medley.dev")
                        .withResources("medleyjobs")
                        .withVerbs("get")
                        .build(),
                new PolicyRuleBuilder()
                        .withApiGroups("medley.dev")
                        .withResources("medleyjobs/status")
                        .withVerbs("patch")
                        .build());
    }

    /** What coordinator and workers of a job share. */
    public static List<HasMetadata> shared(MedleyJob job) {
        SharedObjects shared = new SharedObjects(job);
        List<HasMetadata> all = new ArrayList<>();
        all.add(shared.file());
        all.add(shared.domain());
        all.add(shared.policy());
        shared.claim().ifPresent(all::add);
        return all;
    }

    /** With what a job's pods join each other. */
    public static HasMetadata join(MedleyJob job, JoinMaterial material) {
        return new SharedObjects(job).join(material);
    }

    /** The Job whose pod is the coordinator. */
    public static Job coordinator(MedleyJob job, OperatorDefaults defaults) {
        return new PodJobs(job, defaults).coordinator();
    }

    /** The Indexed Job whose pods are workers of a kind. */
    public static Job workers(MedleyJob job, OperatorDefaults defaults, Flavor flavor, int count) {
        return new PodJobs(job, defaults).workers(flavor, count);
    }
}

package dev.medley.kubernetes.desired;

import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import dev.medley.kubernetes.resource.PodNeeds;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicy;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyOnExitCodesRequirement;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyOnExitCodesRequirementBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the Jobs whose pods are a job's coordinator and workers. */
final class PodJobs {
    /** A pod that ends by itself is made again; that many times, and ever later. */
    private static final int RESTARTS = 100;

    /** Somebody wanted the pod's end: Ctrl-C, kill, memory, SIGTERM, a lease that was lost. */
    private static final List<Integer> ENDED_FROM_OUTSIDE = List.of(75, 130, 137, 143);

    private final MedleyJob job;
    private final OperatorDefaults defaults;
    private final PodParts parts;

    PodJobs(MedleyJob job, OperatorDefaults defaults) {
        this.job = job;
        this.defaults = defaults;
        this.parts = new PodParts(job);
    }

    Job coordinator() {
        PodNeeds given = job.getSpec().coordinator();
        PodNeeds needs = given == null ? PodNeeds.NONE : given;
        List<String> command = new ArrayList<>();
        command.add(defaults.command());
        command.addAll(
                List.of(
                        "pod-job",
                        PodParts.JOB + "/" + SharedObjects.fileName(job),
                        "--expect-file",
                        PodParts.JOB + "/" + SharedObjects.EXPECTED,
                        "--listen",
                        "$(POD_IP):" + ObjectNames.PORT,
                        "--credentials",
                        PodParts.JOIN,
                        "--runs",
                        PodParts.RUNS,
                        "--resource",
                        job.path(),
                        "--uid",
                        String.valueOf(job.getMetadata().getUid()),
                        "--holder",
                        "$(POD_NAME)/$(POD_UID)"));
        job.getSpec().settings().forEach(setting -> command.addAll(List.of("-s", setting)));
        Container container =
                container(ObjectNames.COORDINATOR, command, needs.resources(), "")
                        .addToVolumeMounts(
                                PodParts.mount("medley-job", PodParts.JOB), parts.runsMount())
                        .build();
        PodSpecBuilder pod =
                pod(container)
                        .withServiceAccountName(ObjectNames.ACCOUNT)
                        .withNodeSelector(needs.nodeSelector())
                        .withTolerations(needs.tolerations())
                        .addToVolumes(parts.jobFile(), parts.runs());
        // Said for good: the run failed, it cannot be run as it is, the image has no medley.
        return indexed(
                ObjectNames.coordinator(job),
                ObjectNames.COORDINATOR,
                pod,
                1,
                Map.of(),
                policy(ObjectNames.COORDINATOR, "FailJob", List.of(1, 2, 126, 127, 128)));
    }

    Job workers(Flavor flavor, int count) {
        List<String> command =
                List.of(
                        defaults.command(),
                        "agent",
                        "--join",
                        ObjectNames.coordinatorHost(job) + ":" + ObjectNames.PORT,
                        "--name",
                        "$(POD_NAME)",
                        "--site=$(MEDLEY_SITE)",
                        "--credentials",
                        PodParts.JOIN,
                        "--folder",
                        PodParts.WORK + "/agent",
                        "--until-done");
        Container container =
                container(ObjectNames.WORKER, command, flavor.resources(), flavor.site()).build();
        PodSpecBuilder pod =
                pod(container)
                        .withAutomountServiceAccountToken(false)
                        .withNodeSelector(flavor.nodeSelector())
                        .withTolerations(flavor.tolerations())
                        .withAffinity(flavor.affinity())
                        .withRuntimeClassName(flavor.runtimeClassName());
        return indexed(
                ObjectNames.flavor(job, flavor.name()),
                ObjectNames.WORKER,
                pod,
                count,
                Map.of(ObjectNames.FLAVOR, flavor.name()),
                policy(ObjectNames.WORKER, "FailIndex", List.of(2, 126, 127, 128)));
    }

    private ContainerBuilder container(
            String name,
            List<String> command,
            @Nullable ResourceRequirements resources,
            @Nullable String site) {
        String image = job.getSpec().image();
        return new ContainerBuilder()
                .withName(name)
                .withImage(image == null ? defaults.image() : image)
                .withCommand(command)
                .withEnv(parts.environment(site))
                .withResources(resources)
                .withVolumeMounts(parts.mounts())
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withSecurityContext(PodBasics.rights());
    }

    private PodSpecBuilder pod(Container container) {
        MedleyJobSpec spec = job.getSpec();
        return new PodSpecBuilder()
                .withContainers(container)
                .withVolumes(parts.volumes())
                .withRestartPolicy("Never")
                .withSubdomain(ObjectNames.service(job))
                .withTerminationGracePeriodSeconds(spec.graceSeconds().longValue())
                .withPriorityClassName(spec.priorityClassName())
                .withImagePullSecrets(spec.imagePullSecrets())
                .withEnableServiceLinks(false)
                .withSecurityContext(PodBasics.podRights());
    }

    private Job indexed(
            String name,
            String component,
            PodSpecBuilder pod,
            int count,
            Map<String, String> labels,
            PodFailurePolicy policy) {
        ObjectMeta meta = SharedObjects.meta(job, name, component);
        Map<String, String> all = new HashMap<>(meta.getLabels());
        all.putAll(labels);
        Map<String, String> ofJob = new HashMap<>(all);
        String queue = job.getSpec().queue();
        if (queue != null) {
            ofJob.put(ObjectNames.QUEUE, queue);
            if (component.equals(ObjectNames.WORKER)) {
                meta.setAnnotations(new HashMap<>(Map.of(ObjectNames.ELASTIC, "true")));
            }
        }
        meta.setLabels(ofJob);
        all.put(ObjectNames.UID, String.valueOf(job.getMetadata().getUid()));
        // Of workers each has a count and a delay of its own: one that fails holds up no other.
        boolean isWorker = component.equals(ObjectNames.WORKER);
        return new JobBuilder()
                .withMetadata(meta)
                .withNewSpec()
                .withCompletionMode("Indexed")
                .withCompletions(count)
                .withParallelism(count)
                .withBackoffLimit(isWorker ? null : RESTARTS)
                .withBackoffLimitPerIndex(isWorker ? RESTARTS : null)
                .withPodFailurePolicy(policy)
                .withPodReplacementPolicy("Failed")
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(all)
                .endMetadata()
                .withSpec(pod.build())
                .endTemplate()
                .endSpec()
                .build();
    }

    private static PodFailurePolicy policy(String container, String action, List<Integer> ends) {
        return new PodFailurePolicyBuilder()
                .addNewRule()
                .withAction("Ignore")
                .addNewOnPodCondition("True", "DisruptionTarget")
                .endRule()
                .addNewRule()
                .withAction(action)
                .withOnExitCodes(codes(container, ends))
                .endRule()
                .addNewRule()
                .withAction("Ignore")
                .withOnExitCodes(codes(container, ENDED_FROM_OUTSIDE))
                .endRule()
                .build();
    }

    private static PodFailurePolicyOnExitCodesRequirement codes(
            String container, List<Integer> values) {
        return new PodFailurePolicyOnExitCodesRequirementBuilder()
                .withContainerName(container)
                .withOperator("In")
                .withValues(values)
                .build();
    }
}

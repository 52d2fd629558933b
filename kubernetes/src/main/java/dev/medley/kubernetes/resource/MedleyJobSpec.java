package dev.medley.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a user asks for in a MedleyJob. The API server has checked it and filled in defaults;
 * what is left out otherwise is null or empty.
 *
 * @param job the job file's text
 * @param settings overrides of the job file, KEY=VALUE
 * @param image of coordinator and workers; null for the operator's own
 * @param queue a LocalQueue of Kueue
 * @param priority among jobs of its queue that could grow; higher goes first
 * @param isSuspended whether no pod is wanted now
 * @param graceSeconds between the word that a pod has to go and its end
 * @param siteLabel of nodes, by which workers know their site
 * @param runs where the run's folder lies; null for the coordinator's pod
 * @param coordinator what the coordinator's pod needs
 * @param flavors kinds of machines
 * @param unreadable why nothing else is here, of a job that cannot be read; null if it can
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record MedleyJobSpec(
        String job,
        List<String> settings,
        @Nullable String image,
        List<LocalObjectReference> imagePullSecrets,
        @Nullable String queue,
        @Nullable String priorityClassName,
        Integer priority,
        @JsonProperty("suspend") boolean isSuspended,
        Integer graceSeconds,
        String siteLabel,
        @Nullable RunsVolume runs,
        @Nullable PodNeeds coordinator,
        List<EnvVar> env,
        List<Volume> volumes,
        List<VolumeMount> mounts,
        List<Flavor> flavors,
        @Nullable String unreadable) {
    /** As the resource's definition has them. */
    public static final int USUAL_GRACE_SECONDS = 120;

    /** As the resource's definition has it. */
    public static final String USUAL_SITE_LABEL = "topology.kubernetes.io/zone";

    public MedleyJobSpec {
        settings = settings == null ? List.of() : List.copyOf(settings);
        imagePullSecrets = imagePullSecrets == null ? List.of() : List.copyOf(imagePullSecrets);
        priority = priority == null ? 0 : priority;
        graceSeconds = graceSeconds == null ? USUAL_GRACE_SECONDS : graceSeconds;
        siteLabel = siteLabel == null ? USUAL_SITE_LABEL : siteLabel;
        env = env == null ? List.of() : List.copyOf(env);
        volumes = volumes == null ? List.of() : List.copyOf(volumes);
        mounts = mounts == null ? List.of() : List.copyOf(mounts);
        flavors = flavors == null ? List.of() : List.copyOf(flavors);
    }

    /** Of a job that cannot be read. */
    static MedleyJobSpec unreadable(String why) {
        List<LocalObjectReference> none = List.of();
        return new MedleyJobSpec(
                "",
                List.of(),
                null,
                none,
                null,
                null,
                0,
                false,
                USUAL_GRACE_SECONDS,
                USUAL_SITE_LABEL,
                null,
                null,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                why);
    }

    /** Workers with which a run begins. */
    public int least() {
        return flavors.stream().mapToInt(Flavor::min).sum();
    }
}

package dev.medley.kubernetes.submit;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.JobSpec;
import dev.medley.base.job.StoreUrl;
import dev.medley.kubernetes.resource.Flavor;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import dev.medley.kubernetes.resource.RunsVolume;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a MedleyJob of words of the command line.
 *
 * @param text of the job file
 * @param settings overrides of it
 * @param name of the job in the cluster; null for that of the job file
 * @param flavors kinds of machines, each as cpu,min=2,max=8; none for as many as the job file says
 * @param runs a volume claim for the run's folder, or the size of one to be made
 * @param volumes each CLAIM:/PATH
 */
public record JobSketch(
        String text,
        List<String> settings,
        @Nullable String name,
        String namespace,
        @Nullable String image,
        @Nullable String queue,
        @Nullable String runs,
        List<String> flavors,
        List<String> volumes) {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    private static final String SIZE = "[0-9]+(\\.[0-9]+)?([KMGTP]i?)?";

    /**
     * The resource.
     *
     * @throws dev.medley.base.ConfigException if a word cannot be used, or pods would not see the
     *     job's files
     */
    public MedleyJob job(JobSpec job) {
        Map<String, String> names = new LinkedHashMap<>();
        List<VolumeMount> mounts = new ArrayList<>();
        for (String volume : volumes) {
            int at = volume.indexOf(":/");
            check(at > 0, "--volume %s: CLAIM:/PATH is needed, as in training-data:/data", volume);
            mounts.add(
                    new VolumeMountBuilder()
                            .withName(
                                    names.computeIfAbsent(
                                            volume.substring(0, at),
                                            claim -> nameOf(claim, names.size())))
                            .withMountPath(volume.substring(at + 1))
                            .build());
        }
        List<Volume> claims = new ArrayList<>();
        names.forEach((claim, called) -> claims.add(volume(called, claim)));
        requireSeen(job, mounts);
        MedleyJob made = new MedleyJob();
        made.setMetadata(
                new ObjectMetaBuilder()
                        .withName(name == null ? nameOf(job) : name)
                        .withNamespace(namespace)
                        .build());
        made.setSpec(
                new MedleyJobSpec(
                        text,
                        settings,
                        image,
                        List.of(),
                        queue,
                        null,
                        0,
                        false,
                        MedleyJobSpec.USUAL_GRACE_SECONDS,
                        MedleyJobSpec.USUAL_SITE_LABEL,
                        runsVolume(),
                        null,
                        List.of(),
                        claims,
                        mounts,
                        kinds(job),
                        null));
        return made;
    }

    /** A claim may have dots and be long, a pod's volume may not; medley-* are a pod's own. */
    private static String nameOf(String claim, int before) {
        return claim.matches(LABEL) && !claim.matches("(medley|claim)-.*")
                ? claim
                : "claim-" + (before + 1);
    }

    private static Volume volume(String called, String claim) {
        return new VolumeBuilder()
                .withName(called)
                .withNewPersistentVolumeClaim()
                .withClaimName(claim)
                .endPersistentVolumeClaim()
                .build();
    }

    private static String nameOf(JobSpec job) {
        String name = job.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String trimmed = name.replaceAll("^[-0-9]+|-+$", "");
        check(
                !trimmed.isEmpty() && trimmed.length() <= 40,
                "the job is called %s, which is no name for a cluster: give --name, of a-z, 0-9 and"
                        + " -",
                job.name());
        return trimmed;
    }

    private List<Flavor> kinds(JobSpec job) {
        if (flavors.isEmpty()) {
            int workers = Math.max(1, job.cluster().workers());
            return List.of(Flavor.of("cpu", workers, workers));
        }
        return flavors.stream().map(FlavorWords::parse).toList();
    }

    private @Nullable RunsVolume runsVolume() {
        if (runs == null) {
            return null;
        }
        return runs.matches(SIZE)
                ? new RunsVolume(null, Quantity.parse(runs), null, null)
                : new RunsVolume(runs, null, null, null);
    }

    private static void requireSeen(JobSpec job, List<VolumeMount> mounts) {
        List<String> files = new ArrayList<>(job.data().train());
        files.addAll(job.data().validation());
        for (String file : files) {
            boolean isSeen =
                    StoreUrl.isUrl(file)
                            || mounts.stream()
                                    .anyMatch(m -> Path.of(file).startsWith(m.getMountPath()));
            check(
                    isSeen,
                    "pods do not see %s: put it on a volume, give --volume CLAIM:/PATH, and its"
                            + " path there in the job file; or name it as s3://BUCKET/KEY",
                    file);
        }
    }

    /** The resource as YAML. */
    public static String yaml(MedleyJob job) {
        return new KubernetesSerialization().asYaml(job);
    }
}

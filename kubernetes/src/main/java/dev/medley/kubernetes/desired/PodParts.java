package dev.medley.kubernetes.desired;

import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.RunsVolume;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes what pods of a job have in common: folders and environment. */
final class PodParts {
    static final String WORK = "/medley/scratch";
    static final String JOB = "/medley/job";
    static final String JOIN = "/medley/join";
    static final String RUNS = "/medley/runs";

    /** A pod that is started again has another address: names are looked up anew each second. */
    private static final String JAVA_OPTIONS =
            "-Duser.home=%s/home -Dsun.net.inetaddr.ttl=1 -Dsun.net.inetaddr.negative.ttl=0"
                    .formatted(WORK);

    private final MedleyJob job;

    PodParts(MedleyJob job) {
        this.job = job;
    }

    List<Volume> volumes() {
        List<Volume> all = new ArrayList<>();
        all.add(
                new VolumeBuilder()
                        .withName("medley-work")
                        .withNewEmptyDir()
                        .endEmptyDir()
                        .build());
        all.add(
                new VolumeBuilder()
                        .withName("medley-join")
                        .withNewSecret()
                        .withSecretName(ObjectNames.join(job))
                        .withDefaultMode(0440)
                        .endSecret()
                        .build());
        all.addAll(job.getSpec().volumes());
        return all;
    }

    List<VolumeMount> mounts() {
        List<VolumeMount> all = new ArrayList<>();
        all.add(mount("medley-work", WORK));
        all.add(mount("medley-join", JOIN));
        all.addAll(job.getSpec().mounts());
        return all;
    }

    Volume jobFile() {
        return new VolumeBuilder()
                .withName("medley-job")
                .withNewConfigMap()
                .withName(ObjectNames.file(job))
                .endConfigMap()
                .build();
    }

    Volume runs() {
        VolumeBuilder volume = new VolumeBuilder().withName("medley-runs");
        RunsVolume runs = job.getSpec().runs();
        String claim =
                runs == null
                        ? null
                        : runs.claim() != null
                                ? runs.claim()
                                : runs.size() != null ? ObjectNames.claim(job) : null;
        return claim == null
                ? volume.withNewEmptyDir().endEmptyDir().build()
                : volume.withNewPersistentVolumeClaim()
                        .withClaimName(claim)
                        .endPersistentVolumeClaim()
                        .build();
    }

    VolumeMount runsMount() {
        RunsVolume runs = job.getSpec().runs();
        return new VolumeMountBuilder()
                .withName("medley-runs")
                .withMountPath(RUNS)
                .withSubPath(runs == null ? null : runs.path())
                .build();
    }

    static VolumeMount mount(String name, String path) {
        return new VolumeMountBuilder().withName(name).withMountPath(path).build();
    }

    List<EnvVar> environment(@Nullable String site) {
        List<EnvVar> all = new ArrayList<>();
        all.add(PodBasics.field("POD_NAME", "metadata.name"));
        all.add(PodBasics.field("POD_UID", "metadata.uid"));
        all.add(PodBasics.field("POD_IP", "status.podIP"));
        all.add(
                site != null
                        ? PodBasics.value("MEDLEY_SITE", site)
                        : PodBasics.field(
                                "MEDLEY_SITE",
                                "metadata.labels['%s']".formatted(job.getSpec().siteLabel())));
        all.add(PodBasics.value("HOME", WORK + "/home"));
        all.add(PodBasics.value("MEDLEY_JAVA_OPTS", JAVA_OPTIONS));
        all.add(PodBasics.value("MEDLEY_ARCHIVES", "none"));
        all.addAll(job.getSpec().env());
        return all;
    }
}

package dev.medley.kubernetes.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.job.JobFile;
import dev.medley.base.job.JobSpec;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of words of the command line. */
@Tag("unit")
class JobSketchTest {
    private static MedleyJobSpec sketch(String... volumes) {
        String text = "data: {train: /data/t.csv, label: y}\nmodel: linear\n";
        JobSpec job = JobFile.parse("a.yaml", text, Path.of("/"), List.of()).spec();
        return new JobSketch(
                        text, List.of(), "a", "team", null, null, null, List.of(), List.of(volumes))
                .job(job)
                .getSpec();
    }

    @Test
    void shouldNameVolumesAsPodsMay() {
        MedleyJobSpec spec =
                sketch("own:/data", "nfs.team-a:/nfs", "medley-runs:/old", "own:/again");
        assertThat(spec.volumes())
                .extracting(Volume::getName)
                .containsExactly("own", "claim-2", "claim-3");
        assertThat(spec.volumes())
                .extracting(v -> v.getPersistentVolumeClaim().getClaimName())
                .containsExactly("own", "nfs.team-a", "medley-runs");
        assertThat(spec.mounts())
                .extracting(VolumeMount::getName)
                .containsExactly("own", "claim-2", "claim-3", "own");
    }
}

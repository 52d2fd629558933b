package dev.medley.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is seen of a job's Jobs. */
@Tag("unit")
class ObservedJobTest {
    private static Job of(int pods, boolean isSuspended) {
        return new JobBuilder()
                .withNewMetadata()
                .endMetadata()
                .withNewSpec()
                .withParallelism(pods)
                .withSuspend(isSuspended)
                .endSpec()
                .build();
    }

    /** Kueue admits a pre-empted Job as a whole: it must not wait for what it had grown to. */
    @Test
    void shouldAskForLessWhileItWaitsForQuota() {
        assertThat(ObservedJob.isToScale(of(5, true), 1)).isTrue();
        assertThat(ObservedJob.isToScale(of(1, true), 5)).isFalse();
        assertThat(ObservedJob.isToScale(of(1, false), 5)).isTrue();
        assertThat(ObservedJob.isToScale(of(5, false), 5)).isFalse();
    }

    @Test
    void shouldLeaveAJobThatFailedAsItIs() {
        Job failed =
                of(5, false)
                        .edit()
                        .withNewStatus()
                        .addNewCondition()
                        .withType("Failed")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build();
        assertThat(ObservedJob.isToScale(failed, 1)).isFalse();
    }
}

package dev.medley.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Why a pod does not do its work, in a sentence that says what to do. */
@Tag("unit")
class PodTroubleTest {
    private static Optional<String> of(String status) {
        return PodTrouble.of(
                new KubernetesSerialization()
                        .unmarshal(
                                """
                                metadata: {name: p}
                                spec: {containers: [{name: worker, image: 'own:1'}]}
                                status: %s
                                """
                                        .formatted(status),
                                Pod.class));
    }

    private static Optional<String> container(String state) {
        return of(
                "{containerStatuses: [{name: worker, image: 'own:1', state: %s}]}"
                        .formatted(state));
    }

    @Test
    void shouldSayWhatTheSchedulerSays() {
        assertThat(
                        of(
                                "{conditions: [{type: PodScheduled, status: 'False', reason:"
                                        + " Unschedulable, message: '0/2 nodes: 2 Insufficient"
                                        + " cpu.'}]}"))
                .hasValue("no node takes pod p: 0/2 nodes: 2 Insufficient cpu.");
        assertThat(of("{conditions: [{type: PodScheduled, status: 'True'}]}")).isEmpty();
    }

    @Test
    void shouldTellAnImageThatIsNotThereFromOneWithoutMedley() {
        assertThat(container("{waiting: {reason: ImagePullBackOff, message: no such thing}}"))
                .hasValueSatisfying(
                        said ->
                                assertThat(said)
                                        .contains("image own:1 cannot be fetched", "spec.image"));
        assertThat(container("{terminated: {exitCode: 127, message: 'sh: medley: not found'}}"))
                .hasValueSatisfying(
                        said ->
                                assertThat(said)
                                        .contains("cannot be started", "not found", "JDK 17"));
        assertThat(container("{terminated: {exitCode: 128, reason: StartError}}")).isPresent();
        assertThat(container("{waiting: {reason: ContainerCreating}}")).isEmpty();
    }

    @Test
    void shouldSayTheLastWordsOfAProcess() {
        assertThat(container("{terminated: {exitCode: 2, message: \"a\\nb.yaml:1:1: bad\\n\"}}"))
                .hasValue("pod p ended with exit status 2: b.yaml:1:1: bad");
        assertThat(container("{terminated: {exitCode: 0}}")).isEmpty();
        assertThat(container("{terminated: {exitCode: 137, reason: OOMKilled}}"))
                .hasValueSatisfying(said -> assertThat(said).contains("resources.limits.memory"));
    }
}

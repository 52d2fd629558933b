package dev.medley.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class UnstartedPodsTest {
    private static Pod pod(String name, String conditions, String state) {
        return new KubernetesSerialization()
                .unmarshal(
                        """
                        metadata: {name: %1$s, uid: uid-%1$s}
                        status:
                          conditions: [%2$s]
                          containerStatuses: [{name: executor, image: 'own:1', state: %3$s}]
                        """
                                .formatted(name, conditions, state),
                        Pod.class);
    }

    /** One may have been unlucky; each counts once, also where it is gone by now. */
    @Test
    void shouldTellManyPodsThatHaveFailed() {
        String end = "{terminated: {exitCode: 127, message: \"sh:\\n java: not found\"}}";
        try (UnstartedPods pods = new UnstartedPods()) {
            for (String name : new String[] {"a", "b", "b", "c"}) {
                pods.note(pod(name, "", end));
            }
            pods.note(pod("done", "", "{terminated: {exitCode: 0}}"));
            assertThat(pods.trouble()).isEmpty();
            pods.note(pod("d", "", end));
            assertThat(pods.trouble())
                    .hasValue(
                            "4 pods have failed: pod d with image own:1 ended with exit status 127:"
                                + " sh: java: not found; their image needs Spark 4.2 and Java 17 or"
                                + " later");
        }
    }

    @Test
    void shouldTellWhatHoldsAPodUp() {
        String missing = "{waiting: {reason: ErrImagePull, message: failed to resolve it}}";
        assertThat(UnstartedPods.held(pod("a", "", missing)))
                .hasValue(
                        "pod a does not start with image own:1 (ErrImagePull): failed to resolve"
                                + " it");
        String creating = "{waiting: {reason: ContainerCreating}}";
        assertThat(UnstartedPods.held(pod("a", "", creating))).isEmpty();
        String unplaced = "{type: PodScheduled, status: 'False', message: '0/1 nodes: too small'}";
        assertThat(UnstartedPods.unscheduled(pod("a", unplaced, creating)))
                .hasValue("no node takes pod a: 0/1 nodes: too small");
        String placed = "{type: PodScheduled, status: 'True'}";
        assertThat(UnstartedPods.unscheduled(pod("a", placed, creating))).isEmpty();
    }
}

package dev.medley.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class PodSetupTest {
    private static final Instant NOW = Instant.parse("2026-03-01T00:01:00Z");

    private static Pod pod(String name, String component, String scheduled, String state) {
        return new KubernetesSerialization()
                .unmarshal(
                        """
                        metadata:
                          name: %1$s
                          uid: uid-%1$s
                          creationTimestamp: '2026-03-01T00:00:00Z'
                          labels: {app.kubernetes.io/component: %2$s}
                        status:
                          phase: Pending
                          conditions:
                          - {type: PodScheduled, status: 'True', lastTransitionTime: '%3$s'}
                          containerStatuses: [{name: worker, state: %4$s}]
                        """
                                .formatted(name, component, scheduled, state),
                        Pod.class);
    }

    private static ObservedJob of(Pod... pods) {
        return ObservedJob.of(List.of(), List.of(pods));
    }

    private static Event event(String reason, String message) {
        return new EventBuilder().withReason(reason).withMessage(message).build();
    }

    @Test
    void shouldAskAboutAPodThatIsLateAndTheCoordinatorFirst() {
        String creating = "{waiting: {reason: ContainerCreating}}";
        Pod worker = pod("a", "worker", "2026-03-01T00:00:10Z", creating);
        Pod coordinator = pod("b", "coordinator", "2026-03-01T00:00:20Z", creating);
        Pod fresh = pod("c", "worker", "2026-03-01T00:00:55Z", creating);
        Pod unfetched =
                pod("d", "worker", "2026-03-01T00:00:10Z", "{waiting: {reason: ErrImagePull}}");
        assertThat(PodSetup.late(of(worker, coordinator), NOW)).hasValue(coordinator);
        assertThat(PodSetup.late(of(worker, fresh), NOW)).hasValue(worker);
        assertThat(PodSetup.late(of(fresh, unfetched), NOW)).isEmpty();
        assertThat(PodSetup.isUnderWay(fresh)).as("looked at again").isTrue();
        assertThat(PodSetup.isUnderWay(unfetched)).isFalse();
    }

    /** The same sentence each time, whatever else events say: a status that changes is a write. */
    @Test
    void shouldSayWhichVolumeIsMissing() {
        Pod pod = pod("a", "worker", "2026-03-01T00:00:10Z", "{waiting: {reason: X}}");
        Event late = event("FailedMount", "Unable to attach: timed out waiting for the condition");
        Event missing =
                event("FailedMount", "SetUp failed for \"v\" :\n configmap \"x\" not found");
        Event other = event("BackOff", "a lot");
        PodSetup said =
                new PodSetup(
                        "uid-a",
                        "pod a waits for a volume: SetUp failed for \"v\" : configmap \"x\" not"
                                + " found; see spec.volumes");
        assertThat(PodSetup.of(pod, List.of(other, late, missing))).hasValue(said);
        assertThat(PodSetup.of(pod, List.of(missing, late))).hasValue(said);
        assertThat(PodSetup.of(pod, List.of(late))).isPresent();
        assertThat(PodSetup.of(pod, List.of(other))).isEmpty();
    }

    private static Job job(String created, int parallelism, int active, String condition) {
        return new KubernetesSerialization()
                .unmarshal(
                        """
                        metadata: {name: j, uid: uid-j, creationTimestamp: '%s', labels: {}}
                        spec: {parallelism: %d}
                        status: {active: %d, conditions: [%s]}
                        """
                                .formatted(created, parallelism, active, condition),
                        Job.class);
    }

    /** A quota of the namespace, or a policy: the Job's own status says nothing of it. */
    @Test
    void shouldSayWhyNoPodMayBeMade() {
        Job lacking = job("2026-03-01T00:00:00Z", 2, 1, "");
        Job fresh = job("2026-03-01T00:00:55Z", 2, 1, "");
        Job whole = job("2026-03-01T00:00:00Z", 2, 2, "");
        Job over = job("2026-03-01T00:00:00Z", 2, 0, "{type: Complete, status: 'True'}");
        assertThat(PodSetup.lacking(ObservedJob.of(List.of(lacking), List.of()), NOW))
                .hasValue(lacking);
        for (Job none : List.of(fresh, whole, over)) {
            ObservedJob seen = ObservedJob.of(List.of(none), List.of());
            assertThat(PodSetup.lacking(seen, NOW)).isEmpty();
            assertThat(seen.isToBeAsked()).isEqualTo(none == fresh);
        }
        String quota = "exceeded quota: team, requested: cpu=2, used: cpu=0, limited: cpu=1";
        String said = "Error creating: pods \"j-%s\" is forbidden: " + quota;
        List<Event> events =
                List.of(
                        event("FailedCreate", said.formatted("x7k2p")),
                        event("FailedCreate", said.formatted("a2b3c")));
        assertThat(PodSetup.of(lacking, events))
                .hasValue(
                        new PodSetup(
                                "uid-j", "no pod can be made for Job j: Error creating: " + quota));
    }
}

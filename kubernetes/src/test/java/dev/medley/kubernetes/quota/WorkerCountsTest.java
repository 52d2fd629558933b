package dev.medley.kubernetes.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many workers a job is to have within a quota. */
class WorkerCountsTest {
    private static MedleyJobSpec spec(String flavors) {
        return new KubernetesSerialization()
                .unmarshal(
                        "---\n{job: a, queue: q, flavors: %s}".formatted(flavors),
                        MedleyJobSpec.class);
    }

    private static MedleyJobSpec cpus(int min, int max) {
        return spec(
                "[{name: cpu, min: %d, max: %d, resources: {requests: {cpu: 500m}}}]"
                        .formatted(min, max));
    }

    private static QueueRoom room(String idle, String asked) {
        return new QueueRoom(
                Map.of("cpu", new BigDecimal(idle)),
                asked.isEmpty() ? Map.of() : Map.of("cpu", new BigDecimal(asked)));
    }

    private static int workers(MedleyJobSpec spec, Map<String, Integer> now, QueueRoom room) {
        return WorkerCounts.within(spec, now, room).of("cpu").workers();
    }

    @Test
    @Tag("unit")
    void shouldBeginWithItsLeastAndTakeWhatIsIdle() {
        assertThat(workers(cpus(2, 8), Map.of(), room("100", ""))).isEqualTo(2);
        assertThat(workers(cpus(2, 8), Map.of("cpu", 2), room("1.9", ""))).isEqualTo(5);
        assertThat(workers(cpus(2, 8), Map.of("cpu", 2), room("100", ""))).isEqualTo(8);
        assertThat(workers(cpus(2, 8), Map.of("cpu", 5), room("0", ""))).isEqualTo(5);
        assertThat(workers(cpus(2, 3), Map.of("cpu", 5), room("0", ""))).isEqualTo(3);
        assertThat(WorkerCounts.within(cpus(2, 8), Map.of("cpu", 5), room("0", "")).of("cpu").why())
                .isEqualTo("quota is used up: 0 of cpu idle");
    }

    @Test
    @Tag("unit")
    void shouldGiveBackWhatOthersWaitFor() {
        assertThat(workers(cpus(2, 8), Map.of("cpu", 8), room("0", "1"))).isEqualTo(6);
        assertThat(workers(cpus(2, 8), Map.of("cpu", 8), room("0.7", "1"))).isEqualTo(7);
        assertThat(workers(cpus(2, 8), Map.of("cpu", 8), room("0", "100"))).isEqualTo(2);
        assertThat(workers(cpus(2, 8), Map.of("cpu", 4), room("3", "1"))).isEqualTo(4);
    }

    @Test
    @Tag("unit")
    void shouldShareRoomAmongItsFlavors() {
        MedleyJobSpec two =
                spec(
                        "[{name: a, max: 9, resources: {requests: {cpu: 1}}}, {name: b, max: 9,"
                                + " resources: {requests: {cpu: 2}}}]");
        WorkerCounts counts = WorkerCounts.within(two, Map.of("a", 7, "b", 1), room("7", ""));
        assertThat(counts.of("a").workers()).isEqualTo(9);
        assertThat(counts.of("b").workers()).isEqualTo(3);
    }

    @Test
    @Tag("property")
    void shouldNeverLeaveItsBoundsNorTheQuota() {
        for (int seed = 0; seed < Integer.getInteger("medley.seeds", 15) * 20; seed++) {
            RandomGenerator random = Seeds.generator(seed);
            int min = random.nextInt(4);
            int max = Math.max(1, min + random.nextInt(8));
            int now = random.nextInt(12);
            double idle = random.nextInt(40) / 4.0;
            double asked = random.nextInt(3) == 0 ? random.nextInt(40) / 4.0 : 0;
            QueueRoom room = room(String.valueOf(idle), asked == 0 ? "" : String.valueOf(asked));
            int count = workers(cpus(min, max), Map.of("cpu", now), room);
            assertThat(count).isBetween(Math.max(1, min), max);
            if (count > now) {
                boolean isBound = now < Math.max(1, min);
                assertThat(isBound || (count - now) * 0.5 <= idle).isTrue();
            }
            int again = workers(cpus(min, max), Map.of("cpu", count), room("0", ""));
            assertThat(again).isEqualTo(count); // At rest where nothing is idle and nobody waits.
        }
    }

    @Test
    @Tag("unit")
    void shouldReadWhatKueueSays() {
        GenericKubernetesResource queue =
                new KubernetesSerialization()
                        .unmarshal(
                                """
                                apiVersion: kueue.x-k8s.io/v1beta2
                                kind: ClusterQueue
                                spec:
                                  resourceGroups:
                                  - coveredResources: [cpu, memory]
                                    flavors:
                                    - name: spot
                                      resources:
                                      - {name: cpu, nominalQuota: "4"}
                                      - {name: memory, nominalQuota: 2Gi}
                                    - name: on-demand
                                      resources: [{name: cpu, nominalQuota: 1500m}]
                                """,
                                GenericKubernetesResource.class);
        GenericKubernetesResource workload =
                new KubernetesSerialization()
                        .unmarshal(
                                """
                                apiVersion: kueue.x-k8s.io/v1beta2
                                kind: Workload
                                metadata: {ownerReferences: [{uid: u-1}]}
                                status:
                                  conditions: [{type: QuotaReserved, status: "True"}]
                                  admission:
                                    podSetAssignments:
                                    - {name: main, count: 5, resourceUsage: {cpu: 2500m}}
                                """,
                                GenericKubernetesResource.class);
        QueueRoom room = KueueQuota.room(queue, List.of(workload));
        assertThat(room.idle().get("cpu")).isEqualByComparingTo("3");
        assertThat(room.idle().get("memory")).isEqualByComparingTo("2147483648");
        assertThat(KueueQuota.reserved(List.of(workload), "u-1")).isEqualTo(5);
        assertThat(KueueQuota.reserved(List.of(workload), "u-2")).isNull();
        GenericKubernetesResource slice =
                new KubernetesSerialization()
                        .unmarshal(
                                """
                                apiVersion: kueue.x-k8s.io/v1beta2
                                kind: Workload
                                metadata:
                                  annotations:
                                    kueue.x-k8s.io/workload-slice-replacement-for: a/b
                                """,
                                GenericKubernetesResource.class);
        assertThat(KueueQuota.isWaiting(slice)).isFalse();
        slice.getMetadata().setAnnotations(Map.of());
        assertThat(KueueQuota.isWaiting(slice)).isTrue();
    }
}

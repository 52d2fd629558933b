package dev.medley.kubernetes.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.policy.fill.FilledPolicy;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many workers jobs of a queue are to have within its quota. */
class QueueSharesTest {
    private static final QueueShares SHARES =
            new QueueShares(new FilledPolicy(Policies.named(Policies.DEFAULT)));

    private static MedleyJobSpec spec(String words) {
        return new KubernetesSerialization()
                .unmarshal("---\n{job: a, queue: q, %s}".formatted(words), MedleyJobSpec.class);
    }

    private static MedleyJobSpec cpus(int min, int max) {
        return spec(
                "flavors: [{name: cpu, min: %d, max: %d, resources: {requests: {cpu: 500m}}}]"
                        .formatted(min, max));
    }

    private static QueuedJob job(String key, MedleyJobSpec spec, Map<String, Integer> reserved) {
        return new QueuedJob(key, spec, reserved, 0, 0, Double.NaN, Double.NaN);
    }

    private static QueueRoom room(String idle, String asked) {
        return new QueueRoom(
                Map.of("cpu", new BigDecimal(idle)),
                asked.isEmpty() ? Map.of() : Map.of("cpu", new BigDecimal(asked)),
                Map.of("cpu", new BigDecimal(1000)));
    }

    private static int alone(MedleyJobSpec spec, Map<String, Integer> reserved, QueueRoom room) {
        return SHARES.decide(List.of(job("a", spec, reserved)), room, 100)
                .get("a")
                .of("cpu")
                .workers();
    }

    @Test
    @Tag("unit")
    void shouldBeginWithItsLeastAndTakeWhatIsIdle() {
        assertThat(alone(cpus(2, 8), Map.of(), room("100", ""))).isEqualTo(2);
        assertThat(alone(cpus(2, 8), Map.of("cpu", 2), room("1.9", ""))).isEqualTo(5);
        assertThat(alone(cpus(2, 8), Map.of("cpu", 2), room("100", ""))).isEqualTo(8);
        assertThat(alone(cpus(2, 8), Map.of("cpu", 5), room("0", ""))).isEqualTo(5);
        assertThat(alone(cpus(2, 3), Map.of("cpu", 5), room("0", ""))).isEqualTo(3);
    }

    @Test
    @Tag("unit")
    void shouldGiveBackWhatOthersWaitFor() {
        assertThat(alone(cpus(2, 8), Map.of("cpu", 8), room("0", "1"))).isEqualTo(6);
        assertThat(alone(cpus(2, 8), Map.of("cpu", 8), room("0.7", "1"))).isEqualTo(7);
        assertThat(alone(cpus(2, 8), Map.of("cpu", 8), room("0", "100"))).isEqualTo(2);
        assertThat(alone(cpus(2, 8), Map.of("cpu", 4), room("1", "1"))).isEqualTo(4);
    }

    /** Who waits for a GPU, or for what is idle anyway, keeps nobody from the rest. */
    @Test
    @Tag("unit")
    void shouldGiveWhatIsIdleBesideWhatOthersWaitFor() {
        assertThat(alone(cpus(2, 8), Map.of("cpu", 4), room("3", "1"))).isEqualTo(8);
        assertThat(alone(cpus(2, 8), Map.of("cpu", 4), room("2", "1"))).isEqualTo(6);
        QueueRoom gpus =
                new QueueRoom(
                        Map.of("cpu", new BigDecimal(2), "nvidia.com/gpu", BigDecimal.ZERO),
                        Map.of("nvidia.com/gpu", BigDecimal.ONE),
                        Map.of());
        assertThat(alone(cpus(2, 8), Map.of("cpu", 4), gpus)).isEqualTo(8);
    }

    @Test
    @Tag("unit")
    void shouldMakeNoRoomForWhatTheQueueCanNeverHave() {
        String alone = "null";
        assertThat(asked(alone, "null", 5)).isEqualTo("5");
        assertThat(asked(alone, "null", 6)).isEqualTo("0");
        assertThat(asked(alone, "1", 6)).isEqualTo("0");
        assertThat(asked("team", "1", 6)).isEqualTo("6");
        assertThat(asked("team", "1", 7)).isEqualTo("0");
        assertThat(asked("team", "null", 70)).isEqualTo("70");
    }

    @Test
    @Tag("unit")
    void shouldGrowBesideAJobThatCanNeverBegin() {
        Map<String, WorkerCounts> counts =
                SHARES.decide(
                        List.of(
                                job("a", cpus(2, 8), Map.of("cpu", 2)),
                                job("b", cpus(3000, 3000), Map.of())),
                        room("100", ""),
                        100);
        assertThat(counts.get("a").of("cpu").workers()).isEqualTo(8);
        assertThat(counts.get("b").of("cpu").workers()).isEqualTo(3000);
    }

    /** What counts as waiting, of a queue of 5 cores and a workload that wants some. */
    private static String asked(String cohort, String limit, int cores) {
        GenericKubernetesResource queue =
                new KubernetesSerialization()
                        .unmarshal(
                                """
                                apiVersion: kueue.x-k8s.io/v1beta2
                                kind: ClusterQueue
                                spec:
                                  cohortName: %s
                                  resourceGroups:
                                  - coveredResources: [cpu]
                                    flavors:
                                    - name: spot
                                      resources:
                                      - {name: cpu, nominalQuota: 5, borrowingLimit: %s}
                                """
                                        .formatted(cohort, limit),
                                GenericKubernetesResource.class);
        GenericKubernetesResource workload =
                new KubernetesSerialization()
                        .unmarshal(
                                """
                                apiVersion: kueue.x-k8s.io/v1beta2
                                kind: Workload
                                metadata: {name: other}
                                spec:
                                  podSets:
                                  - template:
                                      spec:
                                        containers: [{resources: {requests: {cpu: %d}}}]
                                """
                                        .formatted(cores),
                                GenericKubernetesResource.class);
        return KueueQuota.room(queue, List.of(workload), uid -> false)
                .asked()
                .getOrDefault("cpu", BigDecimal.ZERO)
                .toPlainString();
    }

    /** One that comes has room made for its least, and then the policy shares the rest. */
    @Test
    @Tag("unit")
    void shouldMakeRoomForAJobThatWaits() {
        Map<String, WorkerCounts> counts =
                SHARES.decide(
                        List.of(
                                job("a", cpus(1, 8), Map.of("cpu", 8)),
                                job("b", cpus(2, 8), Map.of())),
                        room("0", ""),
                        100);
        assertThat(counts.get("b").of("cpu").workers()).isEqualTo(2);
        assertThat(counts.get("a").of("cpu").workers()).isLessThanOrEqualTo(6);
    }

    @Test
    @Tag("unit")
    void shouldGiveWhatIsIdleToHigherPriority() {
        MedleyJobSpec urgent =
                spec(
                        "priority: 5, flavors: [{name: cpu, min: 2, max: 8, resources: {requests:"
                                + " {cpu: 500m}}}]");
        Map<String, WorkerCounts> counts =
                SHARES.decide(
                        List.of(
                                job("a", cpus(2, 8), Map.of("cpu", 2)),
                                job("b", urgent, Map.of("cpu", 2))),
                        room("3", ""),
                        100);
        assertThat(counts.get("b").of("cpu").workers()).isEqualTo(8);
        assertThat(counts.get("a").of("cpu").workers()).isEqualTo(2);
    }

    @Test
    @Tag("property")
    void shouldNeverLeaveBoundsNorQuota() {
        for (int seed = 0; seed < Integer.getInteger("medley.seeds", 15) * 20; seed++) {
            RandomGenerator random = Seeds.generator(seed);
            List<QueuedJob> jobs = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(5); i++) {
                int min = 1 + random.nextInt(3);
                int max = min + random.nextInt(8);
                Map<String, Integer> reserved =
                        random.nextInt(4) == 0
                                ? Map.of()
                                : Map.of("cpu", min + random.nextInt(max - min + 1));
                jobs.add(job("j" + i, cpus(min, max), reserved));
            }
            double idle = random.nextInt(40) / 4.0;
            double asked = random.nextInt(3) == 0 ? 1 + random.nextInt(40) / 4.0 : 0;
            QueueRoom room = room(String.valueOf(idle), asked == 0 ? "" : String.valueOf(asked));
            Map<String, WorkerCounts> counts = SHARES.decide(jobs, room, 100);
            int more = 0;
            for (QueuedJob job : jobs) {
                int count = counts.get(job.key()).of("cpu").workers();
                int min = job.spec().flavors().get(0).min();
                int max = job.spec().flavors().get(0).max();
                assertThat(count).isBetween(min, max);
                Integer now = job.reserved().get("cpu");
                if (now == null) {
                    assertThat(count).isEqualTo(min);
                } else {
                    more += Math.max(0, count - now);
                }
            }
            assertThat(more * 0.5).isLessThanOrEqualTo(idle);
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
        QueueRoom room = KueueQuota.room(queue, List.of(workload), uid -> false);
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

package dev.medley.fleet.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.fleet.state.FleetEntry.OfJob;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class FleetStateTest {
    private static final List<JobPhase> PHASES = List.of(JobPhase.values());

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    /** What decisions look through is what they would find among all jobs that ever were. */
    @ParameterizedTest
    @MethodSource("seeds")
    void partsShouldBeThoseOfAllJobs(long seed) {
        RandomGenerator random = Seeds.generator(seed, 1);
        FleetState state = new FleetState();
        for (int i = 0; i < 300; i++) {
            state.fold(new OfJob(job(1 + random.nextInt(40), random)));
            assertThat(state.liveJobs())
                    .containsExactlyElementsOf(
                            state.jobs().stream().filter(FleetJob::isLive).toList());
            for (FleetJob job : state.jobs()) {
                boolean isWanted = job.wantsMachines() || job.run().pid() != 0;
                assertThat(!isWanted || state.liveJobs().contains(job)).isTrue();
            }
        }
        assertThat(state.doneJobs())
                .isNotEmpty()
                .containsExactlyElementsOf(
                        state.jobs().stream()
                                .filter(j -> j.phase() == JobPhase.DONE && j.measure().total() > 0)
                                .toList());
        FleetState again = new FleetState();
        state.whole().forEach(again::fold);
        assertThat(again.liveJobs()).isEqualTo(state.liveJobs());
        for (String kind : List.of("a", "b", "c")) {
            List<FleetJob> known =
                    state.jobs().stream()
                            .filter(j -> j.isKnown() && j.request().kind().equals(kind))
                            .toList();
            assertThat(again.newestKnown(kind))
                    .isEqualTo(known.isEmpty() ? null : known.get(known.size() - 1));
        }
    }

    private static FleetJob job(long id, RandomGenerator random) {
        String kind = List.of("a", "b", "c").get((int) (id % 3));
        JobRequest request =
                new JobRequest("job", kind, "job.yaml", "/", JobOwner.of("user"), 1, 2);
        FleetJob job =
                FleetJob.submitted(id, request, 0)
                        .in(PHASES.get(random.nextInt(PHASES.size())), "why");
        if (random.nextBoolean()) {
            job = job.with(JobAttempt.NONE.next("somewhere").withProcess(7, 8));
        }
        if (random.nextBoolean()) {
            job = job.holding(List.of("m"), "why");
        }
        JobMeasure none = JobMeasure.NONE;
        Map<String, Double> rates = random.nextBoolean() ? Map.of("cpu", 2.0) : Map.of();
        double total = random.nextBoolean() ? 100 : Double.NaN;
        return job.with(new JobMeasure(1, total, 2, none.loss(), rates, none.restartS(), 1, 0));
    }
}

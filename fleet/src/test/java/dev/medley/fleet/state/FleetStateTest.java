package dev.medley.fleet.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.fleet.state.FleetEntry.OfJob;
import dev.medley.fleet.state.FleetEntry.OfTenure;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

    /** Also where the oldest tenures fell out. */
    @ParameterizedTest
    @MethodSource("seeds")
    void machinesShouldHaveServedWhatTenuresSay(long seed) {
        RandomGenerator random = Seeds.generator(seed, 2);
        FleetState state = new FleetState();
        for (long id = 1; id <= 9; id++) {
            state.fold(new OfJob(job(id, random)));
        }
        for (int i = 0; i < 21_000; i++) {
            // Later ones are of other jobs, so that what fell out is nowhere else.
            int of = 1 + random.nextInt(i < 900 ? 9 : 5);
            boolean isOpen = random.nextBoolean();
            String machine = "m" + of * (i < 900 ? 10 : 1) + random.nextInt(2);
            Double toS = isOpen ? null : Double.valueOf(i);
            state.fold(new OfTenure(new Tenure(machine, of, i, toS, "why")));
        }
        Set<String> served = new TreeSet<>();
        for (Tenure tenure : state.tenures(0)) {
            served.add(kind(tenure.job()) + " " + tenure.machine());
        }
        for (String kind : List.of("a", "b", "c")) {
            for (int i = 0; i < 100; i++) {
                String machine = "m" + i;
                assertThat(state.hasServed(kind, machine))
                        .as(kind + " " + machine)
                        .isEqualTo(served.contains(kind + " " + machine));
            }
        }
    }

    private static String kind(long id) {
        return List.of("a", "b", "c").get((int) (id % 3));
    }

    private static FleetJob job(long id, RandomGenerator random) {
        JobRequest request =
                new JobRequest("job", kind(id), "job.yaml", "/", JobOwner.of("user"), 1, 2);
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

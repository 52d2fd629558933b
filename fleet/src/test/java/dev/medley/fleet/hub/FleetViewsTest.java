package dev.medley.fleet.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.fleet.state.FleetEntry.OfJob;
import dev.medley.fleet.state.FleetEntry.OfMachine;
import dev.medley.fleet.state.FleetEntry.OfRate;
import dev.medley.fleet.state.FleetEntry.OfTenure;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.state.JobMeasure;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobPhase;
import dev.medley.fleet.state.JobRequest;
import dev.medley.fleet.state.Tenure;
import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.FleetView;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class FleetViewsTest {
    private static final List<String> TYPES = List.of("fast", "slow", "old");
    private static final List<String> KINDS = List.of("mlp/64/a", "mlp/64/b", "cnn/8/c");

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    /** What is kept from one round to the next must not be seen. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldShowWhatAFreshOneShows(long seed) {
        RandomGenerator random = Seeds.generator(seed, 5);
        FleetState state = new FleetState();
        FleetViews views = FleetViews.of(state);
        for (int i = 0; i < 60; i++) {
            change(state, random);
            views = views.now();
            FleetView kept = views.view(1000 + i, 60, Carried.NONE);
            FleetView fresh = FleetViews.of(state).view(1000 + i, 60, Carried.NONE);
            assertThat(views.types()).isEqualTo(FleetViews.of(state).types());
            assertThat(kept).usingRecursiveComparison().isEqualTo(fresh);
        }
    }

    private static void change(FleetState state, RandomGenerator random) {
        String kind = KINDS.get(random.nextInt(KINDS.size()));
        switch (random.nextInt(8)) {
            case 0 -> state.fold(new OfMachine(machine(random)));
            case 1 ->
                    state.fold(
                            new OfRate(
                                    kind,
                                    TYPES.get(random.nextInt(3)),
                                    1 + random.nextInt(9),
                                    0.05));
            default -> {
                FleetJob job = job(state, kind, random);
                state.fold(new OfJob(job));
                for (String name : job.machines()) {
                    state.fold(new OfTenure(new Tenure(name, job.id(), 900, null, "why")));
                }
            }
        }
    }

    private static FleetMachine machine(RandomGenerator random) {
        int number = random.nextInt(6);
        FleetMachine.Seen seen =
                new FleetMachine.Seen(
                        4, random.nextInt(3) * 100L, "", 1 + random.nextInt(3), false, 2);
        String type = TYPES.get(random.nextInt(3));
        FleetMachine machine =
                new FleetMachine("m" + number, type, "", seen, 0, Double.POSITIVE_INFINITY, false);
        return random.nextInt(4) == 0 ? machine.lost() : machine;
    }

    private static FleetJob job(FleetState state, String kind, RandomGenerator random) {
        FleetJob known = state.job(1 + random.nextInt(12));
        long id = known == null ? state.nextId() : known.id();
        double budget = random.nextBoolean() ? 10 : Double.POSITIVE_INFINITY;
        JobOwner owner = new JobOwner("user", "", 0, Double.POSITIVE_INFINITY, budget);
        FleetJob job =
                known == null
                        ? FleetJob.submitted(
                                id, new JobRequest("j", kind, "f", "/", owner, 1, 3), 0)
                        : known;
        JobPhase phase = JobPhase.values()[random.nextInt(JobPhase.values().length)];
        Map<String, Double> rates =
                random.nextBoolean()
                        ? Map.of(TYPES.get(random.nextInt(3)), 1.0 + random.nextInt(4))
                        : job.measure().rates();
        JobMeasure measure =
                new JobMeasure(
                        random.nextInt(50), 100, 2, 1, rates, 3, 40, random.nextInt(3) * 80L);
        List<String> machines = random.nextBoolean() ? job.machines() : List.of("m" + id % 6);
        return job.in(phase, "why").holding(machines, "why").with(measure);
    }
}

package dev.medley.fleet.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.JobMeasure;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which breaks of a job count. */
@Tag("unit")
class JobBreaksTest {
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    private static FleetJob job() {
        JobRequest request = new JobRequest("j", "mlp/1.0/j", "", "/", JobOwner.of("ann"), 1, 1);
        return FleetJob.submitted(1, request, 0);
    }

    private static FleetJob at(FleetJob job, double done, double total) {
        return job.with(new JobMeasure(done, total, 1, 0.5, Map.of(), 1, INFINITE, 0));
    }

    @Test
    void shouldFailOneThatComesNoFurther() {
        FleetJob job = job();
        for (int time = 1; time < 5; time++) {
            // Back to its checkpoint, and a little further each time, but by no hundredth.
            JobBreaks breaks = JobBreaks.of(at(job, 500 + time, 1000), 5, "killed");
            assertThat(breaks.fails()).as("break %d", time).isFalse();
            assertThat(breaks.sentence())
                    .isEqualTo("it broke off and goes on (%d of 5): killed".formatted(time));
            job = job.with(breaks.run());
        }
        JobBreaks last = JobBreaks.of(at(job, 509, 1000), 5, "killed");
        assertThat(last.fails()).isTrue();
        assertThat(last.sentence())
                .isEqualTo(
                        "it broke off 5 times and came no further in between; the last time:"
                                + " killed");
    }

    @Test
    void shouldForgetBreaksOfOneThatCameFurther() {
        FleetJob job = job();
        for (int time = 1; time <= 40; time++) {
            JobBreaks breaks = JobBreaks.of(at(job, 20 * time, 1000), 5, "taken away");
            assertThat(breaks.fails()).as("break %d", time).isFalse();
            assertThat(breaks.run().breaks()).isEqualTo(1);
            assertThat(breaks.sentence())
                    .isEqualTo(
                            time == 1
                                    ? "it broke off and goes on (1 of 5): taken away"
                                    : "it broke off and goes on (1 of 5, as it came further since"
                                            + " the last time): taken away");
            job = job.with(breaks.run());
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {1000, Double.NaN})
    void shouldEndWhateverBreaksAlways(double total) {
        FleetJob job = job();
        int breaks = 0;
        boolean fails = false;
        for (double done = 0; !fails; done = Math.min(1000, done + 3)) {
            JobBreaks next = JobBreaks.of(at(job, done, total), 5, "killed");
            job = job.with(next.run());
            fails = next.fails();
            breaks++;
        }
        assertThat(breaks).isLessThan(1000);
    }

    @Test
    void shouldNotTakeWhatWasLostForProgress() {
        FleetJob far = job().with(JobBreaks.of(at(job(), 900, 1000), 5, "killed").run());
        JobBreaks back = JobBreaks.of(at(far, 100, 1000), 5, "killed");
        assertThat(back.run().breaks()).isEqualTo(2);
        assertThat(JobBreaks.of(at(far.with(back.run()), 120, 1000), 5, "killed").run().breaks())
                .isEqualTo(3);
    }
}

package dev.medley.record.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.Plan;
import dev.medley.record.entry.RunEvent.Kind;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What lost workers cost. */
@Tag("unit")
class LossTallyTest {
    private RunTally tally = new RunTally(0);

    private void formed(int epoch, Integer... workers) {
        List<Integer> shares = List.of(workers).stream().map(w -> 10).toList();
        List<String> sites = List.of(workers).stream().map(w -> "a").toList();
        Plan plan = new Plan(epoch, shares, 10, "equal");
        tally.formed(new PlanRecord(0, 1, epoch, List.of(workers), plan, sites));
    }

    private void step(long step, int epoch, long endMillis) {
        tally.step(
                new StepRecord(
                        step, 0, epoch, 1, 1, 1, null, 10, endMillis, 100_000_000, List.of()));
    }

    private void lost(int worker, long step, long wallMillis) {
        tally.event(RunEvent.ofWorker(wallMillis, step, Kind.LOST, worker, "gone"));
    }

    private List<String> said() {
        return summary().lossSentences("step");
    }

    private RunSummary summary() {
        return tally.summary(RunStatus.DONE, "done", null, 0, 0, 0);
    }

    @Test
    void theStepUnderWayShouldBeThrownAwayAndTheRestBeWaiting() {
        formed(1, 1, 2, 3);
        step(1, 1, 1000);
        lost(2, 1, 1170); // Step 2 was told late: 70 ms of step 3 were under way.
        step(2, 1, 1100);
        formed(2, 1, 3);
        step(3, 2, 3200);
        assertThat(said())
                .containsExactly(
                        "worker-2 was lost at step 2: 1.93 s until training went on, 70.0 ms"
                                + " computed again");
        assertThat(summary().losses().get(0).costNs()).isEqualTo(2_000_000_000L);
    }

    @Test
    void silenceShouldBeNoWork() {
        formed(1, 1, 2);
        step(1, 1, 1000);
        lost(2, 1, 11_000);
        formed(2, 1);
        step(2, 2, 12_100);
        assertThat(said())
                .containsExactly(
                        "worker-2 was lost at step 1: 10.9 s until training went on, 100 ms"
                                + " computed again");
    }

    @Test
    void thoseLostTogetherShouldCountTogetherWithStepsFromTheCheckpoint() {
        formed(1, 1, 2);
        step(1, 1, 1000);
        step(2, 1, 1100);
        step(3, 1, 1200);
        lost(1, 3, 1250);
        lost(2, 3, 1300);
        tally = RunTally.after(summary(), 1);
        formed(2, 3, 4);
        step(2, 2, 3350);
        step(3, 2, 3450);
        step(4, 2, 3550);
        lost(4, 4, 3600);
        assertThat(said())
                .containsExactly(
                        "worker-1 and worker-2 were lost at step 3: 2.00 s until training went on,"
                                + " 200 ms computed again (with 2 steps from the checkpoint)",
                        "worker-4 was lost at step 4: no step was taken after it",
                        "Lost workers cost 2.20 s in all, 2 times");
    }

    @Test
    void nobodyShouldWaitForOneThatWasNoMemberNorForTheNightBeforeAResume() {
        formed(1, 1);
        step(1, 1, 1000);
        lost(7, 1, 1001);
        assertThat(said()).isEmpty();
        lost(1, 1, 1050);
        tally = RunTally.resumed(summary(), 1);
        formed(1, 1);
        step(2, 1, 90_000_000);
        assertThat(said())
                .containsExactly("worker-1 was lost at step 1: no step was taken after it");
        String older = Json.line(summary()).replaceFirst("\"losses\":\\[.*?\\}\\],", "");
        assertThat(older).doesNotContain("losses");
        assertThat(Json.parse(older, RunSummary.class).losses()).isEmpty();
    }
}

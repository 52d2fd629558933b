package dev.medley.control.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.control.coordinator.Acting;
import dev.medley.control.coordinator.CoordinatedRun;
import dev.medley.control.coordinator.FakeWorkers.Worker;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.membership.View;
import dev.medley.plan.policy.MemoryCaps;
import dev.medley.plan.source.CappedPlan;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.SharePlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A plan source that changes its mind. */
@Tag("real")
@Timeout(600)
class ReplanningTest {
    private final CoordinatedRun run = new CoordinatedRun();

    @Test
    void shouldFormTheSameGroupAnewWithOtherSharesWhenThePlanIsOutOfDate() throws Exception {
        Wishing plans = new Wishing(3);
        Acting script = Acting.training();
        script.whenFormed(
                (worker, view) -> {
                    if (view.group().epoch() == 1) {
                        worker.stepTo(3);
                    } else {
                        Acting.train(worker);
                    }
                });
        RunOutcome outcome = run.planned(plans).play(script);
        assertThat(outcome.kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        List<View> views = run.views();
        assertThat(views)
                .extracting(v -> v.plan().shares())
                .containsExactly(List.of(6, 6), List.of(8, 4));
        assertThat(views).extracting(v -> v.plan().version()).containsExactly(1, 2);
        assertThat(views).extracting(View::probesAnew).containsExactly(false, true);
        assertThat(views.get(1).group().members()).isEqualTo(views.get(0).group().members());
        assertThat(views.get(1).committed().step()).isEqualTo(3);
        assertThat(views.get(1).behind()).isEmpty();
        assertThat(run.steps()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
        assertThat(plans.told)
                .as("each step once, in order")
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
        assertThat(run.workers().launches()).as("nobody is started anew").isEqualTo(2);
    }

    @Test
    void aStragglerShouldSitOutAndComeBackBehindWhenItHasTried() throws Exception {
        Acting script = Acting.training();
        script.whenFormed(
                (worker, view) -> {
                    int epoch = view.group().epoch();
                    if (epoch < 3) {
                        worker.stepTo(3L * epoch);
                    } else {
                        Acting.train(worker);
                    }
                });
        RunOutcome outcome = run.planned(new Sitting()).play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        List<View> views = run.views();
        assertThat(views).extracting(v -> v.group().size()).containsExactly(2, 1, 2);
        assertThat(views.get(1).committed().step()).isEqualTo(3);
        assertThat(views.get(2).committed().step()).isEqualTo(6);
        assertThat(views.get(2).behind()).as("it copies the state").hasSize(1);
        assertThat(views).extracting(v -> v.plan().isContinued()).containsOnly(false);
        assertThat(run.workers().launches()).as("nobody is started anew").isEqualTo(2);
        assertThat(run.steps()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void plansShouldBeToldOfOneThatDiesWhileItSitsOut() throws Exception {
        CompletableFuture<Worker> late = new CompletableFuture<>();
        Acting script = Acting.training();
        script.whenFormed(
                (worker, view) -> {
                    int epoch = view.group().epoch();
                    if (epoch == 1) {
                        if (worker.id().equals(Sitting.LATE)) {
                            late.complete(worker);
                        }
                        worker.stepTo(3);
                    } else if (epoch == 2) {
                        late.join().leave(1);
                    } else {
                        Acting.train(worker);
                    }
                });
        Sitting plans = new Sitting();
        RunOutcome outcome = run.on(2, 1).planned(plans).play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.views()).extracting(v -> v.group().size()).containsExactly(2, 1, 2);
        assertThat(plans.gone).startsWith(Sitting.LATE);
    }

    @Test
    void aMemberThatRunsOutOfMemoryShouldBeStartedAnewAndGetSmallerParts() throws Exception {
        Message failed =
                new Message.Failed(FailureKind.OUT_OF_MEMORY, "worker 2 ran out of memory");
        Acting script = Acting.training();
        script.whenFormed(
                (worker, view) -> {
                    if (worker.launch == 2) {
                        worker.say(failed);
                        worker.leave(1);
                    } else if (view.group().size() == 2 && view.group().epoch() > 1) {
                        Acting.train(worker);
                    }
                });
        RunOutcome outcome =
                run.on(2, 0)
                        .planned(
                                new CappedPlan(
                                        new SharePlan(12, 1, List.of()), MemoryCaps.unknown()))
                        .play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.workers().launches())
                .as("no restart was left, one was granted")
                .isEqualTo(3);
        List<View> views = run.views();
        assertThat(views.get(0).plan().microBatch()).isEqualTo(6);
        assertThat(views.get(views.size() - 1).plan().microBatch()).isEqualTo(1);
    }

    /** Its machine cannot fetch its samples: that is no reason for the others to stop. */
    @Test
    void aMemberThatIsCutOffShouldBeOneThatIsLost() throws Exception {
        Message failed = new Message.Failed(FailureKind.CUT_OFF, "blocks cannot be fetched");
        Acting script = Acting.training();
        script.whenFormed(
                (worker, view) -> {
                    if (worker.launch == 2) {
                        worker.say(failed);
                        worker.leave(1);
                    } else if (view.group().size() == 1) {
                        Acting.train(worker);
                    }
                });
        RunOutcome outcome = run.on(2, 0).planned(new SharePlan(12, 1, List.of())).play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.workers().launches()).as("no restart was left").isEqualTo(2);
        List<View> views = run.views();
        assertThat(views.get(views.size() - 1).group().size()).isEqualTo(1);
    }

    @Test
    void aWorkerThatRunsOutOfMemoryInItsTrialShouldBeStartedAnewAndGetSmallerParts()
            throws Exception {
        Message failed =
                new Message.Failed(FailureKind.OUT_OF_MEMORY, "worker 2 ran out of memory");
        Acting script =
                Acting.training()
                        .whenWelcomed(
                                worker -> {
                                    if (worker.launch == 2) {
                                        worker.say(new Message.Trying(6));
                                        worker.say(failed);
                                        worker.leave(1);
                                    } else {
                                        worker.ready();
                                    }
                                });
        RunOutcome outcome =
                run.on(2, 0)
                        .planned(
                                new CappedPlan(
                                        new SharePlan(12, 1, List.of()), MemoryCaps.unknown()))
                        .play(script);
        assertThat(outcome.kind()).as(outcome.why()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(run.workers().launches()).as("one restart was granted").isEqualTo(3);
        List<View> views = run.views();
        assertThat(views.get(views.size() - 1).plan().microBatch()).isEqualTo(1);
    }

    @Test
    void aWorkerThatHasNoMemoryForTheModelShouldEndTheRun() throws Exception {
        Message failed = new Message.Failed(FailureKind.OUT_OF_MEMORY, "no room for the model");
        RunOutcome outcome =
                run.planned(new CappedPlan(new SharePlan(12, 1, List.of()), MemoryCaps.unknown()))
                        .play(Acting.idle().whenWelcomed(worker -> worker.say(failed)));
        assertThat(outcome.failure()).isEqualTo(FailureKind.OUT_OF_MEMORY);
        assertThat(outcome.why()).isEqualTo("no room for the model");
    }

    /** A plan that cannot be made is an end of the run like others, not of its coordinator. */
    @Test
    void aPlanThatBreaksShouldEndTheRunAndSayWhy() throws Exception {
        PlanSource breaking =
                (group, version, committedStep) -> {
                    throw new IllegalStateException("alpha -5.0");
                };
        RunOutcome outcome = run.planned(breaking).play(Acting.training());
        assertThat(outcome.failure()).isEqualTo(FailureKind.BUG);
        assertThat(outcome.why()).contains("group 1 cannot be planned").contains("alpha -5.0");
    }

    /** Wants the second to sit out after step 3, and to come back once it has tried its share. */
    private static final class Sitting implements PlanSource {
        private static final WorkerId LATE = new WorkerId(2);
        final List<WorkerId> gone = new ArrayList<>();
        private boolean isAsked;
        private boolean isWell;

        @Override
        public Plan plan(Group group, int version, long committedStep) {
            return new Plan(version, Collections.nCopies(group.size(), 6), 8, "so many");
        }

        @Override
        public Map<WorkerId, String> sitsOut(long step) {
            return step == 3 ? Map.of(LATE, "the second is late") : Map.of();
        }

        @Override
        public Map<WorkerId, Integer> tries(long step) {
            boolean isDue = step == 6 && !isAsked;
            isAsked |= isDue;
            return isDue ? Map.of(LATE, 6) : Map.of();
        }

        @Override
        public void tried(WorkerId worker, Measured alone) {
            isWell = worker.equals(LATE) && alone.share() == 6 && alone.computeNs() == 5;
        }

        @Override
        public void leaves(WorkerId worker) {
            gone.add(worker);
        }

        @Override
        public Map<WorkerId, String> comesBack(long step) {
            return isWell ? Map.of(LATE, "the second is asked back") : Map.of();
        }
    }

    /** Wants other shares after a step. */
    private static final class Wishing implements PlanSource {
        final List<Long> told = new ArrayList<>();
        private final long after;
        private boolean isGranted;

        Wishing(long after) {
            this.after = after;
        }

        @Override
        public Plan plan(Group group, int version, long committedStep) {
            isGranted = committedStep >= after;
            List<Integer> shares = isGranted ? List.of(8, 4) : List.of(6, 6);
            return new Plan(version, shares, 8, "as the test wants it");
        }

        @Override
        public void stepped(long step, Map<WorkerId, Measured> byWorker) {
            told.add(step);
            assertThat(byWorker).hasSize(2);
        }

        @Override
        public boolean probesAnew() {
            return isGranted;
        }

        @Override
        public @Nullable String wish(long step) {
            return step >= after && !isGranted ? "the second is slower" : null;
        }
    }
}

package dev.medley.loop.run;

import dev.medley.base.Sha256;
import dev.medley.base.time.Clock;
import dev.medley.loop.continuous.ContinuousLearner;
import dev.medley.loop.continuous.JudgeStage;
import dev.medley.loop.continuous.PublishStage;
import dev.medley.loop.continuous.RunningPosition;
import dev.medley.loop.continuous.RunningStanding;
import dev.medley.loop.continuous.StayPolicy;
import dev.medley.loop.rollout.Trials;
import dev.medley.loop.spec.ContinuousSpec;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageRunner;
import dev.medley.loop.state.LoopLock;
import dev.medley.loop.state.LoopRun;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Does what is due of a loop that stays: runs, and between them looks for rows that a model goes on
 * learning from, and publications of it. Between two deeds others may have the loop.
 *
 * <p>Thread: one.
 */
public final class Staying implements AutoCloseable {
    private final Loop loop;
    private final ContinuousSpec spec;
    private final Duration every;
    private final ContinuousLearner learner;
    private final Trials trials;
    private final StageRunner.Listener listener;
    private final Clock clock;
    private long runDueMs;
    private long lookDueMs;

    Staying(
            Loop loop,
            ContinuousLearner learner,
            Trials trials,
            StageRunner.Listener listener,
            Clock clock) {
        this.loop = loop;
        this.spec = Objects.requireNonNull(loop.spec().continuous());
        this.every = Objects.requireNonNull(loop.spec().every());
        this.learner = learner;
        this.trials = trials;
        this.listener = listener;
        this.clock = clock;
    }

    /** What is due now. */
    public StayPolicy.Turn due() {
        Optional<RunningPosition> at =
                RunningStanding.of(loop.state()).map(RunningStanding::position);
        return StayPolicy.decide(
                spec,
                new StayPolicy.Facts(
                        clock.wallMillis(),
                        runDueMs,
                        lookDueMs,
                        at.map(known -> known.atPublication().atMs()).orElse(0L),
                        at.map(RunningPosition::sincePublication).orElse(0L),
                        at.map(RunningPosition::judgedRows).orElse(0L),
                        trials.now(learner.context(clock.wallMillis())).isPresent()));
    }

    /**
     * A run of all stages; the next is due so long after its end, however it ends.
     *
     * @throws IOException as {@link Loop#run}
     */
    public LoopRun run() throws IOException, InterruptedException {
        try {
            return loop.run("schedule", listener);
        } finally {
            runDueMs = clock.wallMillis() + every.toMillis();
        }
    }

    /**
     * A look for rows to learn.
     *
     * @throws IOException if it may go better next time
     * @throws dev.medley.base.ConfigException if somebody has to change something
     */
    public RunningStanding look(ContinuousLearner.Told told) throws IOException {
        lookDueMs = clock.wallMillis() + spec.lookEveryMs();
        try (LoopLock unused = loop.lock()) {
            return learner.look(told);
        }
    }

    /** Publishes the running model, and lets it be judged: a run of its own in the history. */
    public LoopRun publish() throws IOException, InterruptedException {
        try (LoopLock unused = loop.lock()) {
            return published();
        }
    }

    /** Ends a publication that was cut off. The loop is held. */
    void endCutOff() throws IOException, InterruptedException {
        if (loop.state().unended().filter(r -> r.cause().equals(PublishStage.NAME)).isPresent()) {
            published();
        }
    }

    private LoopRun published() throws IOException, InterruptedException {
        List<LoopStage> stages =
                List.of(
                        new PublishStage(learner),
                        new JudgeStage(learner, trials, loop.spec().promote()));
        boolean isWhole = false;
        try {
            LoopRun run =
                    new StageRunner(loop.state(), listener)
                            .run(
                                    PublishStage.NAME,
                                    lookedMs(),
                                    PublishStage.NAME + Sha256.hex(loop.spec().definition()),
                                    stages);
            learner.tell();
            isWhole = true;
            return run;
        } finally {
            if (!isWhole) {
                learner.close();
            }
            loop.shown();
        }
    }

    private long lookedMs() {
        return RunningStanding.of(loop.state()).map(RunningStanding::lookedMs).orElse(0L);
    }

    @Override
    public void close() {
        learner.close();
    }
}

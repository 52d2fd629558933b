package dev.medley.loop.run;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.loop.rollout.Holds;
import dev.medley.loop.rollout.ReleaseStage;
import dev.medley.loop.rollout.RollbackStage;
import dev.medley.loop.stage.Known;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageRunner;
import dev.medley.loop.state.LoopLock;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.LoopState;
import dev.medley.loop.state.StageOutcome;
import dev.medley.serving.registry.Registry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Takes models back, and releases what is held since. Each is a run of its own in the history; it
 * waits for no other run, and a run that was cut off before it is not taken up behind it.
 *
 * <p>Thread: one.
 */
public final class Rollbacks {
    private static final String ASKED = "rollback asked";

    private static final int RUNS_LOOKED = 100;

    private final Loop loop;
    private final Holds holds;
    private final Clock clock;
    private final StageRunner.Listener listener;

    Rollbacks(Loop loop, Holds holds, Clock clock, StageRunner.Listener listener) {
        this.loop = loop;
        this.holds = holds;
        this.clock = clock;
        this.listener = listener;
    }

    /**
     * Takes the model in production back. One that was cut off in the middle is ended first, and
     * nothing more is done.
     *
     * @param to the version that is to answer again; null for the one before
     * @return the run as it ended
     * @throws ConfigException if there is no such version, or the loop runs
     */
    public LoopRun rollback(@Nullable Integer to, String by, String why)
            throws IOException, InterruptedException {
        try (LoopLock unused = loop.lock()) {
            Optional<LoopRun> cut = loop.state().unended();
            boolean isCut = cut.filter(run -> run.cause().equals(RollbackStage.NAME)).isPresent();
            RollbackStage.Asked asked =
                    isCut
                            ? Json.bind(
                                    loop.state().fact(ASKED).orElseThrow(),
                                    RollbackStage.Asked.class)
                            : asked(to, by, why);
            if (!isCut) {
                leave(cut);
                loop.state().remember(ASKED, Json.tree(asked));
            }
            return done(RollbackStage.NAME, Json.line(asked), new RollbackStage(asked, holds));
        }
    }

    /** Lets what was held back be promoted again by the loop itself. */
    public LoopRun release(String why) throws IOException, InterruptedException {
        try (LoopLock unused = loop.lock()) {
            leave(loop.state().unended());
            return done(ReleaseStage.NAME, why, new ReleaseStage(holds, why));
        }
    }

    private LoopRun done(String cause, String definition, LoopStage stage)
            throws IOException, InterruptedException {
        return new StageRunner(loop.state(), listener)
                .run(cause, asOfMs(), definition, List.of(stage));
    }

    /** What the snapshots know by now, were the clock put back or not. */
    private long asOfMs() {
        return Math.max(clock.wallMillis(), lastKnownMs(loop.state()));
    }

    private static long lastKnownMs(LoopState state) {
        return state.runs(RUNS_LOOKED).stream()
                .flatMap(run -> state.stages(run.number()).stream())
                .filter(stage -> stage.name().equals(Known.NAME) && !stage.result().isEmpty())
                .mapToLong(stage -> Json.bind(stage.result(), Known.class).asOfMs())
                .findFirst()
                .orElse(0);
    }

    private void leave(Optional<LoopRun> cut) {
        cut.ifPresent(
                run ->
                        loop.state()
                                .end(
                                        run,
                                        StageOutcome.FAILED,
                                        "cut off; production was changed by hand since"));
    }

    private RollbackStage.Asked asked(@Nullable Integer to, String by, String why) {
        LoopModels models = loop.models();
        int from =
                models.production()
                        .orElseThrow(
                                () ->
                                        new ConfigException(
                                                "loop %s has no model in production that could be taken back"
                                                        .formatted(models.name())));
        OptionalInt before = models.registry().before(models.name(), Registry.PRODUCTION);
        if (to == null && before.isEmpty()) {
            throw new ConfigException(
                    "version %d is the first of loop %s in production: there is none before it"
                            .formatted(from, models.name()));
        }
        int target = to == null ? before.getAsInt() : to;
        models.registry().find(models.name(), "" + target);
        if (target == from) {
            throw new ConfigException(
                    "--to %d: version %d of loop %s answers already"
                            .formatted(target, target, models.name()));
        }
        return new RollbackStage.Asked(from, target, by, why);
    }
}

package dev.medley.loop.stage;

import dev.medley.base.Json;
import dev.medley.base.Sha256;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.LoopState;
import dev.medley.loop.state.StageOutcome;
import dev.medley.loop.state.StageRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * Leads a run through its stages in their order and records each. A run that was cut off is taken
 * up: stages that had ended are not done again, and it works with what was known when it began.
 *
 * <p>Thread: one.
 */
public final class StageRunner {
    private static final String DEFINITION = "definition";

    /** What the last run was begun with. */
    private record Definition(long run, String sha256) {}

    private final LoopState state;
    private final Listener listener;

    /** Hears of stages as they begin and end. Called on the runner's thread. */
    public interface Listener {
        /** A run begins, or is taken up again. */
        void began(LoopRun run, boolean isTakenUp);

        /** A stage begins. */
        void stage(String name) throws IOException;

        /** A stage says how far it is. */
        void progress(String text);

        /** A stage ended. */
        void ended(String name, StageEnd end) throws IOException;
    }

    /** Records in {@code state}. */
    public StageRunner(LoopState state, Listener listener) {
        this.state = state;
        this.listener = listener;
    }

    /**
     * Takes up the run that was cut off, or begins one.
     *
     * @param asOfMs what a new run works with is what was known then
     * @param definition what the run is to do, in any words: a run that was cut off is taken up
     *     only if it was begun with the same
     * @return the run as it ended
     * @throws dev.medley.base.ConfigException of the stage that failed, once that is recorded
     * @throws IOException likewise
     */
    public LoopRun run(String cause, long asOfMs, String definition, List<LoopStage> stages)
            throws IOException, InterruptedException {
        String sha256 = Sha256.hex(definition);
        Optional<LoopRun> cut = state.unended();
        if (cut.isPresent() && !begunWith(cut.get(), sha256)) {
            state.end(cut.get(), StageOutcome.FAILED, "cut off; the file has changed since");
            cut = Optional.empty();
        }
        LoopRun run = cut.orElseGet(() -> state.begin(cause, asOfMs));
        state.remember(DEFINITION, Json.tree(new Definition(run.number(), sha256)));
        listener.began(run, cut.isPresent());
        Map<Integer, StageRecord> before = new HashMap<>();
        state.stages(run.number()).forEach(stage -> before.put(stage.position(), stage));
        Map<String, JsonNode> results = new HashMap<>();
        for (int i = 0; i < stages.size(); i++) {
            LoopStage stage = stages.get(i);
            StageRecord known = before.get(i);
            if (known != null && known.name().equals(stage.name()) && known.outcome().goesOn()) {
                results.put(stage.name(), known.result());
                continue;
            }
            StageEnd end = work(run, i, stage, results);
            results.put(stage.name(), end.result());
            if (!end.outcome().goesOn()) {
                state.end(run, end.outcome(), stage.name() + ": " + end.why());
                return state.runs(1).get(0);
            }
        }
        state.end(run, StageOutcome.DONE, "all stages are done");
        return state.runs(1).get(0);
    }

    private boolean begunWith(LoopRun run, String sha256) {
        return state.fact(DEFINITION)
                .map(fact -> Json.bind(fact, Definition.class))
                .filter(known -> known.run() == run.number() && known.sha256().equals(sha256))
                .isPresent();
    }

    private StageEnd work(LoopRun run, int position, LoopStage stage, Map<String, JsonNode> results)
            throws IOException, InterruptedException {
        listener.stage(stage.name());
        state.beginStage(run, position, stage.name());
        Consumer<String> progress = listener::progress;
        StageEnd end;
        try {
            end = stage.work(new StageContext(run, results, state, progress));
        } catch (RuntimeException | IOException e) {
            failed(run, position, stage, String.valueOf(e.getMessage()));
            throw e;
        }
        state.endStage(run, position, end.outcome(), end.why(), end.result());
        listener.ended(stage.name(), end);
        return end;
    }

    private void failed(LoopRun run, int position, LoopStage stage, String why) {
        JsonNode nothing = StageEnd.skipped("").result();
        state.endStage(run, position, StageOutcome.FAILED, why, nothing);
        state.end(run, StageOutcome.FAILED, stage.name() + ": " + why);
    }
}

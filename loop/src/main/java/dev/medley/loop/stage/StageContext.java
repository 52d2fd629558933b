package dev.medley.loop.stage;

import dev.medley.base.Json;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.LoopState;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * Gives a stage what it works with: the run, what stages before it found, and the loop's memory.
 *
 * @param run the run that it is part of
 * @param results of the stages before it, by name
 * @param state the loop's memory
 * @param progress hears what goes on, for people
 */
public record StageContext(
        LoopRun run, Map<String, JsonNode> results, LoopState state, Consumer<String> progress) {
    public StageContext {
        results = Map.copyOf(results);
    }

    /** What the stage {@code name} found; empty where it did not run or had nothing to do. */
    public <T> Optional<T> result(String name, Class<T> type) {
        JsonNode node = results.get(name);
        return node == null || node.isEmpty()
                ? Optional.empty()
                : Optional.of(Json.bind(node, type));
    }

    /** The time whose knowledge the run works with, milliseconds since 1970. */
    public long asOfMs() {
        return result(Known.NAME, Known.class).map(Known::asOfMs).orElse(run.asOfMs());
    }

    /** Notes a decision with its numbers. */
    public void decide(String kind, String verdict, String why, Object numbers) {
        state.decide(run, kind, verdict, why, Json.tree(numbers));
    }

    /** What an earlier run remembered. */
    public <T> Optional<T> remembered(String name, Class<T> type) {
        return state.fact(name).map(node -> Json.bind(node, type));
    }

    /** Remembers for later runs. */
    public void remember(String name, Object value) {
        state.remember(name, Json.tree(value));
    }
}

package dev.medley.record.folder;

import dev.medley.base.Json;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.text.Units;
import dev.medley.record.entry.PlanRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The word for the numbered steps of a run: steps of one batch, rounds of several, or both in turn
 * where the strategy changed.
 *
 * @param one for a single one
 * @param many for several
 * @param batches of a round, {@code 16}; empty for steps
 */
public record StepWord(String one, String many, String batches) {
    /** One batch of all workers. */
    public static final StepWord STEP = new StepWord("step", "steps", "");

    private static final StepWord BOTH = new StepWord("step", "steps and rounds", "");

    /** Of a recorded run. */
    public static StepWord of(@Nullable JsonNode job, List<PlanRecord> plans) {
        Set<Integer> lengths = new TreeSet<>();
        for (PlanRecord plan : plans) {
            StrategySpec chosen = plan.strategy();
            lengths.add(chosen == null ? length(job) : chosen.round().syncEvery());
        }
        if (lengths.isEmpty()) {
            lengths.add(length(job));
        }
        if (lengths.contains(1)) {
            return lengths.size() == 1 ? STEP : BOTH;
        }
        List<String> words = lengths.stream().map(String::valueOf).toList();
        return new StepWord("round", "rounds", String.join(" or ", words));
    }

    /** The same without reading the rest of the record. */
    public static StepWord of(RunFolder folder) {
        try {
            JsonNode job =
                    Files.exists(folder.job()) ? Json.read(folder.job(), JsonNode.class) : null;
            return of(job, JsonLines.read(folder.plans(), PlanRecord.class).values());
        } catch (IOException e) {
            return STEP;
        }
    }

    /** {@code 1,200 steps}, or {@code 75 rounds of 16 steps}. */
    public String counted(long steps) {
        String count = Units.count(steps);
        return batches.isEmpty()
                ? count + " " + (steps == 1 ? one : many)
                : "%s %s of %s steps".formatted(count, steps == 1 ? one : many, batches);
    }

    private static int length(@Nullable JsonNode job) {
        return job == null ? 1 : job.at("/strategy/round/syncEvery").asInt(1);
    }
}

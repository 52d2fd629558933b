package dev.medley.api.schema;

import dev.medley.base.strategy.StrategyKey;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.text.Words;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Completes the schema by what algorithms say of themselves: their names and words, and which of
 * them a key of {@code strategy} goes with.
 */
final class StrategySchema {
    private StrategySchema() {}

    /** Completes the schema of job files. */
    static void complete(JsonNode schema) {
        JsonNode keys = schema.path("$defs").path("strategy").path("properties");
        ObjectNode kind = keys.path("kind").asObject();
        kind.remove("$comment");
        kind.put(
                "description",
                Arrays.stream(Kind.values())
                        .map(each -> Words.of(each) + ": " + each.words())
                        .collect(Collectors.joining("; ", "", ".")));
        Arrays.stream(Kind.values()).forEach(each -> kind.withArray("enum").add(Words.of(each)));
        for (StrategyKey key : StrategyKey.values()) {
            if (!keys.has(key.word())) {
                throw new IllegalStateException("job.schema.json lacks strategy." + key.word());
            }
            ObjectNode described = keys.path(key.word()).asObject();
            String before = described.path("description").asString("");
            String with = "For " + among(key.takers()) + ".";
            described.put("description", before.isEmpty() ? with : before + " " + with);
        }
        ObjectNode steps = keys.path(StrategyKey.SYNC_EVERY.word()).asObject();
        int usual = steps.path("default").asInt();
        for (Kind each : StrategyKey.SYNC_EVERY.takers()) {
            int its = each.usual().round().syncEvery();
            if (its != usual) {
                steps.withObject("x-defaults").put("strategy.kind=" + Words.of(each), its);
            }
        }
    }

    private static String among(List<Kind> kinds) {
        Set<Kind> others = EnumSet.allOf(Kind.class);
        kinds.forEach(others::remove);
        if (others.equals(EnumSet.of(Kind.DATA_PARALLEL, Kind.AUTO))) {
            return "all but data-parallel and auto";
        }
        int last = kinds.size() - 1;
        String first = Words.of(kinds.subList(0, last));
        String end = Words.of(kinds.get(last));
        return last == 0 ? end : first + " and " + end;
    }
}

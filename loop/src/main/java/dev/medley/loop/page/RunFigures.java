package dev.medley.loop.page;

import dev.medley.base.Json;
import dev.medley.connect.sync.SyncReport;
import dev.medley.loop.learn.Watched;
import dev.medley.loop.state.DecisionRecord;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.LoopState;
import dev.medley.loop.state.StageRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Holds the figures of one run that the page draws.
 *
 * @param run its number
 * @param watched how the model in production fared; null where it was not looked
 * @param came how many rows were new, by source
 * @param taken the version that the run put into production; null where none
 * @param reached the metric of that on the rows that judged it; null where none did
 */
record RunFigures(
        long run,
        @Nullable Watched watched,
        Map<String, Long> came,
        @Nullable Integer taken,
        @Nullable Double reached) {
    private static final String SYNC = "sync ";

    RunFigures {
        came = Map.copyOf(came);
    }

    /** Of runs, the newest first; given with the oldest first. */
    static List<RunFigures> of(LoopState state, List<LoopRun> runs) {
        List<RunFigures> figures = new ArrayList<>();
        Map<Long, Integer> taken = new LinkedHashMap<>();
        Map<Long, Double> reached = new LinkedHashMap<>();
        for (DecisionRecord decision : state.decisions(Integer.MAX_VALUE)) {
            if (decision.kind().equals("refit") || decision.verdict().equals("promote")) {
                String words = decision.verdict() + " " + decision.why();
                taken.merge(decision.run(), version(words), Math::max);
                JsonNode figure = decision.numbers().path("challenger");
                if (figure.isNumber() && Double.isFinite(figure.doubleValue())) {
                    reached.put(decision.run(), figure.doubleValue());
                }
            }
        }
        for (LoopRun run : runs) {
            List<StageRecord> stages = state.stages(run.number());
            Map<String, Long> came = new LinkedHashMap<>();
            for (StageRecord stage : stages) {
                if (stage.name().startsWith(SYNC) && !stage.result().isEmpty()) {
                    SyncReport report = Json.bind(stage.result(), SyncReport.class);
                    came.put(stage.name().substring(SYNC.length()), report.difference().added());
                }
            }
            figures.add(
                    0,
                    new RunFigures(
                            run.number(),
                            watched(stages).orElse(null),
                            came,
                            taken.get(run.number()),
                            reached.get(run.number())));
        }
        return figures;
    }

    private static Optional<Watched> watched(List<StageRecord> stages) {
        return stages.stream()
                .filter(stage -> stage.name().equals("watch") && !stage.result().isEmpty())
                .map(stage -> Json.bind(stage.result(), Watched.class))
                .findFirst();
    }

    private static int version(String words) {
        String digits = words.replaceFirst("^.*?version (\\d+).*$", "$1");
        return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : 0;
    }
}

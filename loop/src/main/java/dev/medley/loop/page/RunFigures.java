package dev.medley.loop.page;

import dev.medley.base.Json;
import dev.medley.connect.sync.SyncReport;
import dev.medley.loop.learn.Watched;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.LoopState;
import dev.medley.loop.state.StageRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds the figures of one run that the page draws.
 *
 * @param run its number
 * @param watched how the model in production fared; null where it was not looked
 * @param came how many rows were new, by source
 * @param taken the version that the run put into production; null where none
 */
record RunFigures(
        long run, @Nullable Watched watched, Map<String, Long> came, @Nullable Integer taken) {
    private static final String SYNC = "sync ";

    RunFigures {
        came = Map.copyOf(came);
    }

    /** Of runs, the newest first; given with the oldest first. */
    static List<RunFigures> of(LoopState state, List<LoopRun> runs) {
        List<RunFigures> figures = new ArrayList<>();
        Map<Long, Integer> taken = taken(state, runs.size());
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
                            taken.get(run.number())));
        }
        return figures;
    }

    private static Optional<Watched> watched(List<StageRecord> stages) {
        return stages.stream()
                .filter(stage -> stage.name().equals("watch") && !stage.result().isEmpty())
                .map(stage -> Json.bind(stage.result(), Watched.class))
                .findFirst();
    }

    /** Which version a run put into production; the last where there were two. */
    private static Map<Long, Integer> taken(LoopState state, int runs) {
        Map<Long, Integer> taken = new LinkedHashMap<>();
        state.decisions(Integer.MAX_VALUE).stream()
                .filter(d -> d.kind().equals("refit") || d.verdict().equals("promote"))
                .forEach(
                        d -> taken.merge(d.run(), version(d.verdict() + " " + d.why()), Math::max));
        return taken;
    }

    private static int version(String words) {
        String digits = words.replaceFirst("^.*?version (\\d+).*$", "$1");
        return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : 0;
    }
}

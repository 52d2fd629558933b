package dev.medley.loop.continuous;

import dev.medley.base.time.Clock;
import dev.medley.loop.decide.JudgedMetric;
import dev.medley.loop.learn.ModelTraining;
import dev.medley.loop.learn.References;
import dev.medley.loop.learn.RowMaker;
import dev.medley.loop.spec.ContinuousSpec;
import dev.medley.loop.stage.CheckStage;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.SourceViews;
import dev.medley.loop.stage.SyncStage;
import dev.medley.loop.state.LoopState;
import java.util.List;

/**
 * Holds what a running model works with: the parts of its loop's runs.
 *
 * @param place of its files
 * @param syncs of all sources
 * @param checks that hold it
 * @param maker of rows
 * @param training by which versions are registered
 * @param references that are kept of versions
 * @param metric by which it is judged
 */
public record RunningParts(
        ContinuousSpec spec,
        LoopPlace place,
        LoopState state,
        SourceViews views,
        List<SyncStage> syncs,
        CheckStage checks,
        RowMaker maker,
        ModelTraining training,
        References references,
        JudgedMetric metric,
        Clock clock) {
    public RunningParts {
        syncs = List.copyOf(syncs);
    }

    LoopModels models() {
        return training.models();
    }
}

package dev.medley.hub;

import dev.medley.fleet.state.FleetJob;
import dev.medley.hub.service.CurvePoint;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Draws how jobs learn from their runs' own records. Safe for many threads. */
final class HubCurves {
    private static final int MOST_POINTS = 300;

    private HubCurves() {}

    /** At most so many points, and each evaluation; empty before anything was recorded. */
    static List<CurvePoint> of(FleetJob job) {
        String folder = job.run().folder();
        if (folder.isEmpty() || !Files.exists(RunFolder.at(Path.of(folder)).steps())) {
            return List.of();
        }
        RunRecord record = RunRecord.read(RunFolder.at(Path.of(folder)));
        List<StepRecord> steps = record.steps();
        int every = Math.max(1, (steps.size() + MOST_POINTS - 1) / MOST_POINTS);
        TreeMap<Long, Double> evaluated = new TreeMap<>();
        for (EvaluationRecord evaluation : record.evaluations()) {
            if (Double.isFinite(evaluation.loss())) {
                evaluated.put(evaluation.step(), evaluation.loss());
            }
        }
        List<CurvePoint> points = new ArrayList<>();
        double seconds = 0;
        for (int i = 0; i < steps.size(); i++) {
            StepRecord step = steps.get(i);
            seconds += step.stepNs() / 1e9;
            @Nullable Double validation = evaluated.get(step.step());
            if (i % every == 0 || i == steps.size() - 1 || validation != null) {
                Double loss = Double.isFinite(step.loss()) ? step.loss() : null;
                points.add(new CurvePoint(step.step(), seconds, loss, validation));
            }
        }
        return points;
    }
}

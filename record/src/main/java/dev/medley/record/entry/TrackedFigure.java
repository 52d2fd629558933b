package dev.medley.record.entry;

import java.util.ArrayList;
import java.util.List;

/**
 * A number of a step or an evaluation under the name by which trackers know it.
 *
 * @param name letters, digits and {@code _ - . /}, which every tracker takes
 * @param value may be NaN
 */
public record TrackedFigure(String name, double value) {
    private static final String OF_EVALUATION = "validation/";

    /** Whether that is the name of a figure of every step. */
    public static boolean isOfAStep(String name) {
        return name.equals("loss");
    }

    /** Whether that is the name of a figure of evaluations. */
    public static boolean isOfAnEvaluation(String name) {
        return name.startsWith(OF_EVALUATION);
    }

    /** What trackers are told of a step. */
    public static List<TrackedFigure> of(StepRecord step) {
        List<TrackedFigure> figures = new ArrayList<>();
        figures.add(new TrackedFigure("loss", step.loss()));
        figures.add(new TrackedFigure("learning_rate", step.learningRate()));
        figures.add(new TrackedFigure("samples_per_second", step.samplesPerSecond()));
        if (step.gradientNorm() != null) {
            figures.add(new TrackedFigure("gradient_norm", step.gradientNorm()));
        }
        return figures;
    }

    /** What trackers are told of an evaluation on the validation samples. */
    public static List<TrackedFigure> of(EvaluationRecord evaluation) {
        List<TrackedFigure> figures = new ArrayList<>();
        if (!Double.isNaN(evaluation.loss())) {
            figures.add(new TrackedFigure(OF_EVALUATION + "loss", evaluation.loss()));
        }
        for (MetricValue metric : evaluation.metrics()) {
            String name = metric.name().replaceAll("[^A-Za-z0-9_.-]", "_");
            figures.add(new TrackedFigure(OF_EVALUATION + name, metric.value()));
        }
        return figures;
    }
}

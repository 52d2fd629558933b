package dev.medley.inference.report;

import dev.medley.base.evaluation.ClassResults;
import dev.medley.base.evaluation.ConfusionMatrix;
import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.evaluation.ScoreCurves;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.metric.ReportPart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the parts of a report by what is predicted, and makes the report of an evaluation. */
public final class ReportParts {
    private ReportParts() {}

    /** For a training, which chooses a threshold where the job asks for one. */
    public static List<ReportPart> choosing(
            Signature signature, long samples, @Nullable ThresholdSpec threshold) {
        return of(
                signature,
                samples,
                new CurvesPart(signature.target(), threshold, null),
                OneAgainstRestPart.MOST_IN_TRAINING);
    }

    /** For a trained model, with its threshold if it has one. */
    public static List<ReportPart> trained(
            Signature signature, long samples, @Nullable DecisionThreshold threshold) {
        return of(
                signature,
                samples,
                new CurvesPart(signature.target(), null, threshold),
                OneAgainstRestPart.MOST_ALONE);
    }

    private static List<ReportPart> of(
            Signature signature, long samples, CurvesPart curves, long most) {
        Target target = signature.target();
        return switch (target.kind()) {
            case BINARY -> List.of(curves);
            case CLASSES ->
                    target.outputs() > OneAgainstRestPart.MOST_CLASSES
                            ? List.of(new ConfidencePart())
                            : List.of(
                                    new OneAgainstRestPart(target, samples, most),
                                    new ConfidencePart());
            case VALUE -> List.of(new ResidualsPart(samples));
            case VALUES -> List.of(ForecastPart.of(target.labels(), target.outputs()));
            case NONE ->
                    List.of(new ClustersPart(samples, signature.inputs().get(0).shape().get(0)));
            case GRADE, TOKENS -> List.of();
        };
    }

    /**
     * The report of an evaluation.
     *
     * @param of what was evaluated, as a phrase
     */
    public static EvaluationReport report(Evaluation evaluation, Target target, String of) {
        List<EvaluationSection> computed = evaluation.sections().get();
        List<EvaluationSection> all = new ArrayList<>();
        ScoreCurves curves = curves(computed);
        DecisionThreshold threshold = curves == null ? null : curves.chosen();
        if (curves != null && threshold != null) {
            ConfusionMatrix matrix = curves.confusion(target.labels());
            all.add(ClassResults.of(matrix, threshold.probability()));
        } else if (!evaluation.confusion().isEmpty()) {
            ConfusionMatrix matrix = ConfusionMatrix.of(target.labels(), evaluation.confusion());
            all.add(ClassResults.of(matrix, null));
        }
        all.addAll(computed);
        return EvaluationReport.of(of, evaluation.samples(), evaluation.figures(), all);
    }

    private static @Nullable ScoreCurves curves(List<EvaluationSection> sections) {
        return sections.stream()
                .filter(ScoreCurves.class::isInstance)
                .map(ScoreCurves.class::cast)
                .findFirst()
                .orElse(null);
    }
}

package dev.medley.base.evaluation;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * A part of an {@link EvaluationReport}: its components are what JSON has of it; sentences, tables
 * and charts are what terminals and pages show. Who adds another kind names it here; nothing that
 * shows reports has to know it.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ClassResults.class, name = "classes"),
    @JsonSubTypes.Type(value = ScoreCurves.class, name = "curves"),
    @JsonSubTypes.Type(value = ClassCurves.class, name = "class_curves"),
    @JsonSubTypes.Type(value = CalibrationCurve.class, name = "calibration"),
    @JsonSubTypes.Type(value = RegressionResiduals.class, name = "residuals"),
    @JsonSubTypes.Type(value = ForecastErrors.class, name = "forecasts"),
    @JsonSubTypes.Type(value = ClusterResults.class, name = "clusters"),
    @JsonSubTypes.Type(value = Segments.class, name = "segments"),
    @JsonSubTypes.Type(value = Importance.class, name = "importance"),
    @JsonSubTypes.Type(value = LargestCoefficients.class, name = "coefficients")
})
public interface EvaluationSection {
    /** What it is about, in a few words. */
    String title();

    /** What is to be said besides figures. */
    default List<String> sentences() {
        return List.of();
    }

    /** Its tables. */
    default List<ReportTable> tables() {
        return List.of();
    }

    /** Its charts, each of at most some hundred points. */
    default List<Chart> charts() {
        return List.of();
    }
}

package dev.medley.inference.explain;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.text.DidYouMean;
import dev.medley.inference.model.Prediction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names the output of a model that is explained.
 *
 * @param name of a class, or of a number
 * @param index among the model's outputs
 * @param isFirstOfTwo whether it is the class whose log-odds are those of the other, negated
 */
public record ExplainedOutput(String name, int index, boolean isFirstOfTwo) {
    private static final String NUMBER = "prediction";

    /** The outputs of a target that can be asked for. */
    static List<String> names(Target target) {
        List<String> names = new ArrayList<>();
        int outputs = target.kind() == TargetKind.BINARY ? 2 : target.outputs();
        switch (target.kind()) {
            case BINARY, CLASSES -> {
                for (int i = 0; i < outputs; i++) {
                    names.add(Prediction.nameOf(target, i));
                }
            }
            case VALUES -> names.addAll(target.labels());
            case NONE -> names.add("distance");
            default -> names.add(NUMBER);
        }
        return names;
    }

    /**
     * The one that is explained: what the caller names, or the predicted class, or the first.
     *
     * @param asked null for none
     * @param predicted the class of the row, for models of classes
     * @throws ConfigException if there is none of that name
     */
    public static ExplainedOutput of(Target target, @Nullable String asked, String predicted) {
        List<String> names = names(target);
        boolean areClasses =
                target.kind() == TargetKind.BINARY || target.kind() == TargetKind.CLASSES;
        String name = asked != null ? asked : areClasses ? predicted : names.get(0);
        int at = names.indexOf(name);
        check(
                at >= 0,
                "there is no output '%s'%s; there are: %s",
                name.length() > 60 ? name.substring(0, 60) + "..." : name,
                DidYouMean.of(name, names).map(near -> ", did you mean '" + near + "'?").orElse(""),
                String.join(", ", names));
        return switch (target.kind()) {
            case BINARY -> new ExplainedOutput(name, 0, at == 0);
            case NONE -> new ExplainedOutput(name, 1, false); // Behind the cluster's number.
            default -> new ExplainedOutput(name, at, false);
        };
    }

    /** A value of the model's output, as one of this output's. */
    double of(double value) {
        return isFirstOfTwo ? -value : value;
    }
}

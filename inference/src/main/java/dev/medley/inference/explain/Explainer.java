package dev.medley.inference.explain;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.inference.model.Coefficients;
import dev.medley.inference.model.LoadedModel;
import dev.medley.trees.GrownTrees;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Says what each column of a row adds to a model's output. */
public sealed interface Explainer permits TreeExplainer, LinearExplainer, WalkExplainer {
    /** Its name, as papers have it. */
    String method();

    /** Whether it draws nothing. */
    boolean isExact();

    /** What rows the base is of. */
    String background();

    /** In what outputs and contributions are told. */
    String scale();

    /**
     * An explanation of a row.
     *
     * @param row as {@link TableRows} has it
     * @param isOver whether the time is over: what is drawn until then is told
     * @throws OverdueException if that is nothing
     */
    Explanation explain(double[][] row, ExplainedOutput output, BooleanSupplier isOver);

    /**
     * What explains a model.
     *
     * @param encoding of the model, with as much room for terms as its rows have
     * @throws ConfigException if it reads no columns
     */
    static Explainer of(LoadedModel model, TableEncoding encoding) {
        ModelSpec spec = model.description().model();
        Target target = encoding.label().target();
        TableRows rows = new TableRows(encoding);
        if (spec instanceof ModelSpec.Trees trees) {
            GrownTrees grown =
                    model.trees().orElseThrow(() -> new IllegalStateException("no trees"));
            return TreeExplainer.of(grown, trees, encoding, rows);
        }
        List<double[][]> reference =
                ReferenceSample.read(model.folder(), (TableEncoding) model.encoding());
        Optional<Coefficients> coefficients = Coefficients.of(spec, encoding, model::weights);
        return coefficients.isPresent()
                ? LinearExplainer.of(coefficients.get(), encoding, rows, reference)
                : new WalkExplainer(model::predict, target, rows, reference);
    }

    /** The scale of outputs that networks and linear models give. */
    static String scaleOf(Target target) {
        return switch (target.kind()) {
            case BINARY -> "log-odds of the class";
            case CLASSES -> "logit of the class";
            case VALUE -> target.isRate() ? "logarithm of the rate" : "units of the prediction";
            case GRADE -> "score";
            case NONE -> "distance to the nearest centre";
            default -> "units of the prediction";
        };
    }
}

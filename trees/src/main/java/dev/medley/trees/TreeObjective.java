package dev.medley.trees;

import dev.medley.base.evaluation.Ndcg;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.ModelSpec.Boosting.Ranking;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.model.TreeSpec;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.model.StepLoss;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Says how trees learn a target, and what their sums mean.
 *
 * <p>Boosting gives logits, or the number itself. A forest learns each class as 0 and 1 by squared
 * error, so that a leaf is the share of its rows and the mean over trees is a probability; its
 * logarithm takes the logit's place.
 *
 * @param model family and options
 * @param target what is predicted
 */
record TreeObjective(ModelSpec.Trees model, Target target) {
    /** The setting of XGBoost's for how many compute. */
    static final String THREADS = "nthread";

    /** A probability of 0 has a logarithm, too. */
    private static final double SMALLEST = 1e-6;

    /** Numbers from 1 to 2 whose product a double holds. */
    private static final int FACTORS = 512;

    boolean isForest() {
        return model instanceof ModelSpec.Forest;
    }

    /** Trees that a round adds, and outputs of a row. */
    int outputs() {
        return target.kind() == TargetKind.CLASSES ? target.outputs() : 1;
    }

    /** What XGBoost is set to. */
    Map<String, String> settings(List<TreeColumn> columns, int threads, long seed) {
        TreeSpec tree = model.tree();
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("tree_method", "hist");
        settings.put(THREADS, "" + threads);
        settings.put("num_feature", "" + columns.size()); // Else members would ask each other.
        settings.put("seed", "" + (int) (seed ^ (seed >>> Integer.SIZE)));
        settings.put("seed_per_iteration", "true");
        settings.put("grow_policy", tree.leaves() > 0 ? "lossguide" : "depthwise");
        settings.put("max_depth", "" + tree.depth());
        settings.put("max_leaves", "" + tree.leaves());
        settings.put("min_child_weight", "" + tree.minChildWeight());
        settings.put("gamma", "" + tree.minSplitGain());
        settings.put("alpha", "" + tree.l1());
        settings.put("lambda", "" + tree.l2());
        settings.put("subsample", "" + tree.subsample());
        settings.put(isForest() ? "colsample_bynode" : "colsample_bytree", "" + tree.colsample());
        settings.put("max_bin", "" + tree.bins());
        settings.put("monotone_constraints", monotone(columns));
        settings.put("eta", "" + learningRate());
        settings.putAll(objective());
        return settings;
    }

    private double learningRate() {
        return model instanceof ModelSpec.Boosting boosting
                ? boosting.learningRate()
                : 1.0 / model.rounds();
    }

    private String monotone(List<TreeColumn> columns) {
        return columns.stream()
                .map(column -> model.tree().monotone().get(column.name()))
                .map(way -> way == null ? "0" : way == TreeSpec.Direction.INCREASING ? "1" : "-1")
                .collect(Collectors.joining(",", "(", ")"));
    }

    private Map<String, String> objective() {
        Map<String, String> settings = new LinkedHashMap<>();
        boolean isClasses = target.kind() == TargetKind.CLASSES;
        if (isClasses) {
            settings.put("num_class", "" + target.outputs());
        }
        if (isForest()) {
            settings.put("objective", isClasses ? "multi:softprob" : "reg:squarederror");
            settings.put("base_score", "" + centre());
            settings.put("disable_default_eval_metric", "true");
            return settings;
        }
        settings.put(
                "objective",
                switch (target.kind()) {
                    case BINARY -> "binary:logistic";
                    case CLASSES -> "multi:softprob";
                    case VALUE -> target.isRate() ? "count:poisson" : "reg:squarederror";
                    case GRADE ->
                            model instanceof ModelSpec.Boosting boosting
                                            && boosting.ranking() == Ranking.PAIRWISE
                                    ? "rank:pairwise"
                                    : "rank:ndcg";
                    case VALUES, TOKENS, NONE ->
                            throw new IllegalStateException("trees predict one class or number");
                });
        return settings;
    }

    /** Of a forest of numbers what trees begin from: differences of large numbers say little. */
    private double centre() {
        return target.kind() == TargetKind.VALUE ? target.mean() : 0;
    }

    /** First derivatives by which a forest's tree learns: of squared error at the beginning. */
    float[] gradients(RowTargets rows) {
        int outputs = outputs();
        float[] gradients = new float[rows.rows() * outputs];
        float[] targets = rows.targets();
        for (int row = 0; row < targets.length; row++) {
            if (outputs == 1) {
                gradients[row] = (float) -(targets[row] - centre()) * rows.weight(row);
            } else {
                gradients[row * outputs + (int) targets[row]] = -rows.weight(row);
            }
        }
        return gradients;
    }

    /** Second derivatives beside {@link #gradients}. */
    float[] curvatures(RowTargets rows) {
        int outputs = outputs();
        float[] curvatures = new float[rows.rows() * outputs];
        for (int i = 0; i < curvatures.length; i++) {
            curvatures[i] = rows.weight(i / outputs);
        }
        return curvatures;
    }

    /** Outputs as losses and metrics take them, in the place of the sums over trees. */
    void toOutputs(float[] margins, int rounds) {
        if (!isForest()) {
            for (int i = 0; target.isRate() && i < margins.length; i++) {
                margins[i] = (float) Math.exp(margins[i]);
            }
            return;
        }
        double grown = (double) model.rounds() / Math.max(1, rounds);
        boolean isValue = target.kind() == TargetKind.VALUE;
        for (int i = 0; i < margins.length; i++) {
            double mean = centre() + (margins[i] - centre()) * grown;
            margins[i] = (float) (isValue ? mean : logit(mean));
        }
    }

    /** The same as part of a graph. */
    Value outputs(Value margins, int rounds, Graph graph) {
        if (!isForest()) {
            return target.isRate() ? graph.node("Exp", margins) : margins;
        }
        Value centre = graph.number(centre());
        Value grown = graph.number((double) model.rounds() / Math.max(1, rounds));
        Value away = graph.node("Mul", graph.node("Sub", margins, centre), grown);
        Value mean = graph.node("Add", away, centre);
        if (target.kind() == TargetKind.VALUE) {
            return mean;
        }
        Value share = graph.node("Clip", mean, graph.number(SMALLEST), graph.number(1 - SMALLEST));
        Value logarithm = graph.node("Log", share);
        Value rest = graph.node("Sub", graph.number(1), share);
        return target.kind() == TargetKind.BINARY
                ? graph.node("Sub", logarithm, graph.node("Log", rest))
                : logarithm;
    }

    private double logit(double probability) {
        double p = Math.min(1 - SMALLEST, Math.max(SMALLEST, probability));
        return target.kind() == TargetKind.BINARY ? Math.log(p / (1 - p)) : Math.log(p);
    }

    /** What rows lose together, weighted; of rankings each group counts one. */
    StepLoss loss(RowTargets of, float[] outputs) {
        if (target.kind() == TargetKind.GRADE) {
            return rankingLoss(of, outputs);
        }
        float[] targets = of.targets();
        if (target.kind() == TargetKind.BINARY && of.weights() == null) {
            return new StepLoss(logisticLoss(targets, outputs), targets.length);
        }
        double sum = 0;
        for (int row = 0; row < targets.length; row++) {
            sum += of.weight(row) * loss(outputs, row, targets[row]);
        }
        return new StepLoss(sum, of.weight());
    }

    /**
     * The sum of log(1 + exp(x)) over rows. A logarithm costs more than all else of it, and that of
     * a product is the sum of those of its factors: one for {@link #FACTORS} rows.
     */
    private static double logisticLoss(float[] targets, float[] outputs) {
        double sum = 0;
        double product = 1;
        for (int row = 0; row < targets.length; row++) {
            double x = targets[row] > 0.5 ? -outputs[row] : outputs[row];
            sum += Math.max(x, 0);
            product *= 1 + Math.exp(-Math.abs(x));
            if ((row + 1) % FACTORS == 0) {
                sum += Math.log(product);
                product = 1;
            }
        }
        return sum + Math.log(product);
    }

    private static StepLoss rankingLoss(RowTargets of, float[] outputs) {
        double sum = 0;
        int from = 0;
        for (int rows : of.groups()) {
            float[] scores = Arrays.copyOfRange(outputs, from, from + rows);
            float[] grades = Arrays.copyOfRange(of.targets(), from, from + rows);
            sum += 1 - Ndcg.of(scores, grades, 0);
            from += rows;
        }
        return new StepLoss(sum, of.groups().length);
    }

    /**
     * The loss of one row, by its outputs: the cross-entropy, the squared error of a number in
     * deviations, or half the deviance of a count, as networks learn them.
     */
    private double loss(float[] outputs, int row, float truth) {
        return switch (target.kind()) {
            case BINARY -> softplus(truth > 0.5 ? -outputs[row] : outputs[row]);
            case VALUE -> {
                if (target.isRate()) {
                    double rate = Math.max(outputs[row], SMALLEST);
                    double ofCount = truth > 0 ? truth * Math.log(truth / rate) : 0;
                    yield rate - truth + ofCount;
                }
                double apart = (outputs[row] - truth) / target.deviation();
                yield apart * apart;
            }
            default -> crossEntropy(outputs, row * outputs(), (int) truth);
        };
    }

    private double crossEntropy(float[] outputs, int from, int truth) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int c = 0; c < outputs(); c++) {
            largest = Math.max(largest, outputs[from + c]);
        }
        double sum = 0;
        for (int c = 0; c < outputs(); c++) {
            sum += Math.exp(outputs[from + c] - largest);
        }
        return Math.log(sum) + largest - outputs[from + truth];
    }

    private static double softplus(double x) {
        return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s of %s", model.family(), target.kind());
    }
}

package dev.medley.tensor.factor;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.layout.ParameterLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves the rows of a factorisation that a step touched, and no others: SGD, Adagrad, and Adam with
 * moments that stay as they are while a row is not touched (PyTorch's SparseAdam). Weight decay
 * counts a touch as a step; the bias of all does not decay. Each number is computed in double by
 * the same operations everywhere. State has the names and places of a dense optimizer's.
 */
public final class RowRule {
    private final OptimizerSpec spec;
    private final FactorTable parameters;
    private final List<NamedSpan> state = new ArrayList<>();
    private final List<FactorTable> moments = new ArrayList<>();
    private final Span steps = Span.allocate(Long.BYTES);

    /** A rule with zero moments, for a learner's parameters. */
    public RowRule(OptimizerSpec spec, FactorLearner learner) {
        this.spec = spec;
        ParameterLayout layout = learner.layout();
        parameters = new FactorTable(learner.parameters(), layout);
        state.add(new NamedSpan("optimizer.step", ElementType.INT64, new long[] {1}, steps));
        for (String name : names(spec)) {
            Span span = Span.allocate(layout.gradientBytes());
            moments.add(new FactorTable(span, layout));
            long[] shape = {layout.elements()};
            state.add(new NamedSpan("optimizer." + name, ElementType.FLOAT32, shape, span));
        }
    }

    private static List<String> names(OptimizerSpec spec) {
        return switch (spec.kind()) {
            case SGD -> List.of();
            case ADAGRAD -> List.of("sum");
            case ADAM, ADAMW -> List.of("exp_avg", "exp_avg_sq");
            case RMSPROP, LBFGS -> throw new IllegalStateException("no rule for single rows");
        };
    }

    /** What it remembers from step to step; the spans are the state itself. */
    public List<NamedSpan> state() {
        return List.copyOf(state);
    }

    /**
     * Takes a step.
     *
     * @param rows that were touched
     * @param sums of their gradients, row behind row; overwritten
     * @param rateFactor of the schedule
     * @param divisor of the sums
     */
    public void apply(int[] rows, float[] sums, double rateFactor, double divisor) {
        long step = steps.buffer().getLong(0) + 1;
        steps.buffer().putLong(0, step);
        int stride = parameters.stride();
        float[] p = new float[stride];
        float[] first = new float[stride];
        float[] second = new float[stride];
        Rates rates = Rates.of(spec, spec.learningRate() * rateFactor, step);
        for (int i = 0; i < rows.length; i++) {
            parameters.read(rows[i], p, 0);
            read(rows[i], first, second);
            double decay = rows[i] == parameters.biasRow() ? 0 : spec.weightDecay();
            for (int k = 0; k < stride; k++) {
                double g = sums[i * stride + k] / divisor;
                p[k] = (float) moved(k, p[k], g, decay, rates, first, second);
            }
            parameters.write(rows[i], p, 0);
            write(rows[i], first, second);
        }
    }

    /** The rate of a step, with what corrects Adam's moments. */
    private record Rates(double rate, double corrected, double root) {
        static Rates of(OptimizerSpec spec, double rate, long step) {
            return new Rates(
                    rate,
                    rate / (1 - StrictMath.pow(spec.beta1(), (double) step)),
                    Math.sqrt(1 - StrictMath.pow(spec.beta2(), (double) step)));
        }
    }

    private double moved(
            int k, double p, double slope, double decay, Rates r, float[] first, float[] second) {
        boolean isDecoupled = spec.kind() == OptimizerSpec.Kind.ADAMW;
        double g = isDecoupled ? slope : slope + decay * p;
        return switch (spec.kind()) {
            case SGD -> p - r.rate() * g;
            case ADAGRAD -> {
                double sum = first[k] + g * g;
                first[k] = (float) sum;
                yield p - r.rate() * g / (Math.sqrt(sum) + spec.epsilon());
            }
            default -> {
                double m = first[k] + (1 - spec.beta1()) * (g - first[k]);
                double v = second[k] * spec.beta2() + (1 - spec.beta2()) * g * g;
                first[k] = (float) m;
                second[k] = (float) v;
                double kept = isDecoupled ? p * (1 - r.rate() * decay) : p;
                yield kept - r.corrected() * m / (Math.sqrt(v) / r.root() + spec.epsilon());
            }
        };
    }

    private void read(int row, float[] first, float[] second) {
        if (!moments.isEmpty()) {
            moments.get(0).read(row, first, 0);
        }
        if (moments.size() > 1) {
            moments.get(1).read(row, second, 0);
        }
    }

    private void write(int row, float[] first, float[] second) {
        if (!moments.isEmpty()) {
            moments.get(0).write(row, first, 0);
        }
        if (moments.size() > 1) {
            moments.get(1).write(row, second, 0);
        }
    }
}

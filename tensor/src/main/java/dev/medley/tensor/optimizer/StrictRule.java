package dev.medley.tensor.optimizer;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.tensor.FlatBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies the rules in plain Java. Each number is computed in double by the same sequence of IEEE
 * operations on every CPU and rounded once when it is stored, so that replicas on unlike machines
 * stay bit-equal. It takes about three times as long as LibTorch's kernels.
 */
final class StrictRule implements UpdateRule {
    private static final int STRETCH = 4096;

    private final double[] p = new double[STRETCH];
    private final double[] g = new double[STRETCH];
    private final double[] first = new double[STRETCH];
    private final double[] second = new double[STRETCH];

    @Override
    public void apply(
            OptimizerUpdate update,
            FlatBuffer parameters,
            FlatBuffer gradients,
            List<FlatBuffer> state) {
        StrictMemory parameter = new StrictMemory(parameters);
        StrictMemory gradient = new StrictMemory(gradients);
        List<StrictMemory> moments = new ArrayList<>();
        state.forEach(moment -> moments.add(new StrictMemory(moment)));
        Run run = update.run();
        for (long done = 0; done < run.count(); done += STRETCH) {
            long from = run.offset() + done;
            int count = (int) Math.min(STRETCH, run.count() - done);
            parameter.read(from, p, count);
            gradient.read(from, g, count);
            for (int i = 0; i < moments.size(); i++) {
                moments.get(i).read(from, i == 0 ? first : second, count);
            }
            compute(update, count);
            parameter.write(from, p, count);
            for (int i = 0; i < moments.size(); i++) {
                moments.get(i).write(from, i == 0 ? first : second, count);
            }
        }
    }

    private void compute(OptimizerUpdate update, int count) {
        double divisor = update.divisor();
        for (int i = 0; i < count; i++) {
            g[i] /= divisor;
        }
        switch (update.spec().kind()) {
            case ADAM -> {
                addDecay(update.run().weightDecay(), count);
                adam(update, count);
            }
            case ADAMW -> {
                double kept = 1 - update.learningRate() * update.run().weightDecay();
                for (int i = 0; i < count; i++) {
                    p[i] *= kept;
                }
                adam(update, count);
            }
            case SGD -> {
                addDecay(update.run().weightDecay(), count);
                sgd(update, count);
            }
            case ADAGRAD -> {
                addDecay(update.run().weightDecay(), count);
                adagrad(update, count);
            }
            case LBFGS -> throw new IllegalStateException("no rule by gradients of batches");
            case RMSPROP -> {
                addDecay(update.run().weightDecay(), count);
                rmsprop(update, count);
            }
        }
    }

    private void addDecay(double decay, int count) {
        if (decay != 0) {
            for (int i = 0; i < count; i++) {
                g[i] += decay * p[i];
            }
        }
    }

    private void adam(OptimizerUpdate update, int count) {
        OptimizerSpec spec = update.spec();
        double beta1 = spec.beta1();
        double beta2 = spec.beta2();
        double step = (double) update.step();
        double rate = update.learningRate() / (1 - StrictMath.pow(beta1, step));
        double correction = Math.sqrt(1 - StrictMath.pow(beta2, (double) update.varianceSteps()));
        boolean keepsVariance = update.keepsVariance();
        double epsilon = spec.epsilon();
        for (int i = 0; i < count; i++) {
            double m = first[i] + (1 - beta1) * (g[i] - first[i]);
            double v = keepsVariance ? second[i] : second[i] * beta2 + (1 - beta2) * g[i] * g[i];
            first[i] = m;
            second[i] = v;
            p[i] -= rate * m / (Math.sqrt(v) / correction + epsilon);
        }
    }

    private void sgd(OptimizerUpdate update, int count) {
        double momentum = update.spec().momentum();
        double rate = update.learningRate();
        if (momentum > 0) {
            boolean isNesterov = update.spec().nesterov();
            for (int i = 0; i < count; i++) {
                first[i] = first[i] * momentum + g[i];
                g[i] = isNesterov ? g[i] + momentum * first[i] : first[i];
            }
        }
        for (int i = 0; i < count; i++) {
            p[i] -= rate * g[i];
        }
    }

    private void adagrad(OptimizerUpdate update, int count) {
        double rate = update.learningRate();
        double epsilon = update.spec().epsilon();
        for (int i = 0; i < count; i++) {
            first[i] += g[i] * g[i];
            p[i] -= rate * g[i] / (Math.sqrt(first[i]) + epsilon);
        }
    }

    private void rmsprop(OptimizerUpdate update, int count) {
        OptimizerSpec spec = update.spec();
        double alpha = spec.beta2();
        double epsilon = spec.epsilon();
        double rate = update.learningRate();
        double momentum = spec.momentum();
        for (int i = 0; i < count; i++) {
            first[i] = first[i] * alpha + (1 - alpha) * g[i] * g[i];
            g[i] /= Math.sqrt(first[i]) + epsilon;
        }
        if (momentum > 0) {
            for (int i = 0; i < count; i++) {
                second[i] = second[i] * momentum + g[i];
                g[i] = second[i];
            }
        }
        for (int i = 0; i < count; i++) {
            p[i] -= rate * g[i];
        }
    }
}

package dev.medley.training.convex;

import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.convex.LinearFit;
import dev.medley.tensor.model.Learner;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.LearningRule;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Update;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes one trial of L-BFGS in each step, whose samples are all that there are, until it has
 * converged.
 */
public final class ConvexRule implements LearningRule {
    private final LinearFit fit;

    /** A rule that moves the fit's learner. */
    public ConvexRule(LinearFit fit) {
        this.fit = fit;
    }

    @Override
    public Learner learner() {
        return fit.learner();
    }

    @Override
    public void begin(Part part, Buckets buckets, DoubleSupplier weight) {
        fit.stepBegins();
    }

    @Override
    public Update update(Part part, Tail tail) {
        return new Update() {
            @Override
            public void run() {
                fit.apply(tail.weight());
            }

            @Override
            public double learningRateFactor() {
                return 1;
            }

            @Override
            public double gradientNorm() {
                return fit.norm();
            }
        };
    }

    @Override
    public @Nullable String done() {
        return fit.done();
    }

    @Override
    public List<NamedSpan> state() {
        return fit.state();
    }

    @Override
    public long bytes() {
        return Memory.bytes(fit.state());
    }

    @Override
    public void close() {
        // Spans free themselves.
    }
}

package dev.medley.training.kmeans;

import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.kmeans.MiniBatchFit;
import dev.medley.tensor.model.Learner;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.LearningRule;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Update;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/** Moves centres by the batch of each step, from a fit to some samples on. */
public final class MiniBatchRule implements LearningRule {
    private final MiniBatchFit fit;
    private final Start start;

    /**
     * What every worker begins with.
     *
     * @param samples gives them in batches, each of which is valid until the next
     * @param count how many
     * @param batch samples of a step, over all workers
     */
    public record Start(Consumer<Consumer<Batch>> samples, long count, int batch) {}

    /** A rule that moves the fit's learner. */
    public MiniBatchRule(MiniBatchFit fit, Start start) {
        this.fit = fit;
        this.start = start;
    }

    @Override
    public Learner learner() {
        return fit.learner();
    }

    @Override
    public void begin(Part part, Buckets buckets, DoubleSupplier weight) {
        if (!fit.hasBegun()) {
            fit.begin(start.samples(), start.count(), start.batch());
        }
    }

    @Override
    public Update update(Part part, Tail tail) {
        return new Moved(fit.next());
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

package dev.medley.training.strategy;

import dev.medley.base.Group;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Trains by synchronous data parallelism: every rank adds its samples to its accumulators, all sum
 * them, and every rank moves its parameters by the same sums and the same rule. Shares may differ
 * and may be empty. Buckets leave while the pass over the samples still runs.
 *
 * <p>Any {@link Learner} can be trained so; of a replica the accumulators are gradients ({@link
 * GradientRule}).
 */
public final class EveryStep implements Strategy {
    private final Learner learner;
    private final LearningRule rule;
    private final Passes passes;

    /** A strategy that moves all workers' learners by the same rule, which it closes. */
    public EveryStep(LearningRule rule) {
        this.learner = rule.learner();
        this.rule = rule;
        this.passes = new Passes(learner);
    }

    @Override
    public void formed(Group group) {
        rule.formed(group);
    }

    @Override
    public void continued(Group group, Collective collective) {
        rule.continued(group);
    }

    @Override
    public StepLoss compute(Part part, Feed feed, Buckets buckets) {
        Batch batch = feed.next();
        DoubleSupplier weight = () -> learner.weight(batch);
        buckets.weigh(weight);
        rule.begin(part, buckets, weight);
        return passes.of(batch, part, part.position(), buckets, rule::firstTaken);
    }

    @Override
    public Update update(Part part, Tail tail) {
        return rule.update(part, tail);
    }

    @Override
    public @Nullable String done() {
        return rule.done();
    }

    @Override
    public void discarded() {
        // The accumulators are written anew by the next step; nothing else has changed.
    }

    @Override
    public List<NamedSpan> state() {
        return rule.state();
    }

    @Override
    public List<NamedSpan> moments() {
        return rule.state();
    }

    @Override
    public long bytes() {
        return rule.bytes();
    }

    @Override
    public void close() {
        rule.close();
    }
}

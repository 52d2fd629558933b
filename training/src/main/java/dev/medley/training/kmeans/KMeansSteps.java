package dev.medley.training.kmeans;

import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.memory.NamedSpan;
import dev.medley.exchange.Collective;
import dev.medley.tensor.kmeans.KMeansFit;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.OwnRows;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Strategy;
import dev.medley.training.strategy.Update;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Trains a k-means by all samples: a step is a pass of every member over the samples of its share,
 * whose sums say what all do next. A member keeps its samples, in file order, until another plan
 * deals it others. Sums are exact, so centres follow from the samples and the seed alone.
 */
public final class KMeansSteps implements Strategy {
    private final KMeansFit fit;
    private final OwnRows source;
    private @Nullable Plan plan;
    private long first;
    private long end;
    private boolean hasRows;

    /** A strategy for one member. */
    public KMeansSteps(KMeansFit fit, OwnRows source) {
        this.fit = fit;
        this.source = source;
    }

    @Override
    public void planned(Plan next) {
        plan = next;
    }

    @Override
    public void formed(Group group) {
        fit.formed();
    }

    @Override
    public void formed(Group group, Collective collective) {
        fit.formed();
    }

    @Override
    public StepLoss compute(Part part, Feed feed, Buckets buckets) {
        takeRows(part.rank());
        StepLoss loss = fit.gather();
        for (int slot = fit.learner().accumulatorLayout().slots().size() - 1; slot >= 0; slot--) {
            buckets.ready(slot);
        }
        return loss;
    }

    private void takeRows(int rank) {
        Plan dealt = Objects.requireNonNull(plan, "no plan");
        long from = dealt.shareStart(rank, source.count());
        long to = dealt.shareEnd(rank, source.count());
        if (!hasRows || from != first || to != end) {
            fit.learnFrom(taker -> source.between(from, to, taker), from, source.count());
            first = from;
            end = to;
            hasRows = true;
        }
    }

    /** It reads its samples by itself, and once. */
    @Override
    public boolean takesBatches() {
        return false;
    }

    @Override
    public Update update(Part part, Tail tail) {
        double[] losses =
                IntStream.range(0, part.shares().size()).mapToDouble(tail::lossSum).toArray();
        return new Moved(fit.next(tail.weight(), losses, part.rank()));
    }

    @Override
    public @Nullable String done() {
        return fit.done();
    }

    @Override
    public void discarded() {
        // The accumulators are written anew by the next step; what is kept holds still.
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

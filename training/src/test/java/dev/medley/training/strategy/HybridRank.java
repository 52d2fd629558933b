package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.StepTag;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanHash;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.rounds.LocalSteps;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A worker of a group, in double precision. */
final class HybridRank implements AutoCloseable {
    static final int SAMPLES = 32;

    /** Forty short rounds are too few for a momentum of 0.9. */
    private static final RoundSpec ROUND =
            RoundSpec.defaults(StrategySpec.Kind.HYBRID).outer(0.7, 0.5);

    private static final double RATE = 0.02;

    final Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
    final Optimizer inner;
    final LocalSteps hybrid;
    final Buckets buckets;
    private final Collective collective;
    private final List<String> before = new ArrayList<>();
    int taken;
    int leavesAt = Integer.MAX_VALUE;

    HybridRank(Collective collective, Group group, OptimizerSpec.Kind kind) {
        this(collective, group, kind, true);
    }

    HybridRank(Collective collective, Group group, OptimizerSpec.Kind kind, boolean isHybrid) {
        this.collective = collective;
        this.inner = replica.optimizer(optimizer(kind));
        this.hybrid =
                isHybrid
                        ? LocalSteps.ofSites(replica, inner, ROUND, 0)
                        : new LocalSteps(replica, inner, ROUND, 0);
        long gradientBytes = replica.layout().gradientBytes();
        ExchangeLayout layout =
                new ExchangeLayout(replica.layout().type(), gradientBytes, 0, collective.size(), 0);
        replica.bindGradients(collective.buffer().slice(0, gradientBytes));
        buckets = new Buckets(replica, collective, layout, 256, 0);
        hybrid.formed(group, collective);
    }

    /** So many batches of this rank's own. */
    List<Batch> batches(int count, int samples) {
        return IntStream.range(0, count)
                .mapToObj(i -> Samples.of(TargetKind.VALUE, samples, 10 * collective.rank() + i))
                .toList();
    }

    @Nullable StepLoss compute(long step, List<Batch> batches, List<Integer> steps) {
        buckets.begin(new StepTag(1, step, 1));
        return hybrid.compute(part(step, steps), new Given(batches), buckets);
    }

    void sum(long step, List<Batch> batches, List<Integer> steps) {
        StepLoss loss = compute(step, batches, steps);
        assertThat(loss).isNotNull();
        assertThat(finish(loss)).isNull();
    }

    @Nullable Fault finish(StepLoss loss) {
        buckets.conclude(loss, 0);
        return buckets.finish();
    }

    void round(long step, List<Batch> batches, List<Integer> steps) {
        sum(step, batches, steps);
        hybrid.update(part(step, steps), buckets.tail()).run();
    }

    private Part part(long step, List<Integer> steps) {
        int rank = collective.rank();
        return new Part(step, rank, 64L * rank, steps, SAMPLES, i -> 1);
    }

    double[] parameters() {
        DoubleBuffer buffer = replica.parameters().buffer().asDoubleBuffer();
        double[] values = new double[buffer.remaining()];
        buffer.get(values);
        return values;
    }

    Seen seen() {
        return new Seen(List.copyOf(before), state());
    }

    String state() {
        List<Span> spans = new ArrayList<>(List.of(replica.parameters()));
        hybrid.state().stream().map(NamedSpan::data).forEach(spans::add);
        return SpanHash.of(spans);
    }

    String moments() {
        return SpanHash.of(inner.state().stream().map(NamedSpan::data).toList());
    }

    @Override
    public void close() {
        hybrid.close();
        replica.close();
    }

    private final class Given implements Feed {
        private final List<Batch> batches;
        private int next;

        Given(List<Batch> batches) {
            this.batches = batches;
        }

        @Override
        public Batch next() {
            before.add(SpanHash.of(List.of(replica.parameters())));
            taken++;
            return batches.get(next++);
        }

        @Override
        public boolean isWanted() {
            return taken < leavesAt;
        }
    }

    /**
     * What a rank saw.
     *
     * @param before hashes of its parameters before each of its inner steps
     * @param state at the end
     */
    record Seen(List<String> before, String state) {}

    static OptimizerSpec optimizer(OptimizerSpec.Kind kind) {
        return OptimizerSpec.defaults(kind).withLearningRate(RATE);
    }
}

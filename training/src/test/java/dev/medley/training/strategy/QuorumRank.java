package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.StepTag;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanHash;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.bucket.RoundTable;
import dev.medley.training.strategy.Part.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/** A member of a group whose rounds may end without it. */
public final class QuorumRank implements AutoCloseable {
    public final Replica replica;

    /** For who plays it. */
    public volatile int rank;

    private final int microBatch;
    private final Strategy strategy;
    private Group group;
    private Collective collective;
    private Buckets buckets;

    /** Batches that each round took, from the first. */
    public final List<Integer> taken = new ArrayList<>();

    /** In double precision. */
    public QuorumRank(Group group, Collective collective, Function<Replica, Strategy> maker) {
        this(group, collective, maker, Samples.replica(TargetKind.VALUE, 1, Precision.FP64), 3);
    }

    /** With a replica that it closes, through which so many samples go at once. */
    public QuorumRank(
            Group group,
            Collective collective,
            Function<Replica, Strategy> maker,
            Replica replica,
            int microBatch) {
        this.microBatch = microBatch;
        this.replica = replica;
        strategy = maker.apply(replica);
        sumOver(group, collective);
        strategy.formed(group, collective);
    }

    /** Begins anew with what it holds of the run. */
    public void formIn(Group next, Collective with) {
        sumOver(next, with);
        strategy.formed(next, with);
    }

    /** Goes on with the same members, perhaps over other links. */
    public void continueIn(Group next, Collective with) {
        sumOver(next, with);
        strategy.continued(next, with);
    }

    private void sumOver(Group next, Collective with) {
        group = next;
        collective = with;
        long bytes = replica.layout().gradientBytes();
        ExchangeLayout layout =
                new ExchangeLayout(
                        replica.layout().type(),
                        bytes,
                        0,
                        collective.size(),
                        0,
                        0,
                        0,
                        RoundTable.bytes(collective.size()),
                        0,
                        0);
        replica.bindGradients(collective.buffer().slice(0, bytes));
        buckets = new Buckets(replica, collective, layout, 256, 0);
    }

    /** A round that all compute, and that is discarded then. */
    public void inVain(long step, List<Integer> counts, IntFunction<Batch> feed) {
        sum(part(step, Patience.ALL, counts), feed);
        strategy.discarded();
    }

    /** A round of batches that come when they are asked for; what all said of it. */
    public RoundTable round(
            long step, Patience patience, List<Integer> counts, IntFunction<Batch> feed) {
        Part part = part(step, patience, counts);
        sum(part, feed);
        assertThat(buckets.tail().firstUnsoundRank()).isNegative();
        strategy.update(part, buckets.tail()).run();
        return buckets.table();
    }

    private Part part(long step, Patience patience, List<Integer> counts) {
        return new Part(
                step, collective.rank(), 0, counts, counts, microBatch, 4, i -> 1, patience);
    }

    private void sum(Part part, IntFunction<Batch> feed) {
        buckets.begin(new StepTag(1, part.step(), 1));
        Given given = new Given(feed);
        StepLoss loss = strategy.compute(part, given, buckets);
        taken.add(given.taken);
        assertThat(loss).as("%s", collective.ended()).isNotNull();
        buckets.conclude(loss, 0);
        assertThat(buckets.finish()).isNull();
    }

    /** Weight of a rank in the last round. */
    public double weight(int rank) {
        return buckets.tail().weight(rank);
    }

    /** Of parameters and of the common step's state. */
    public String hash() {
        List<Span> all = new ArrayList<>(List.of(replica.parameters()));
        strategy.state().stream().map(NamedSpan::data).forEach(all::add);
        return SpanHash.of(all);
    }

    @Override
    public void close() {
        strategy.close();
        replica.close();
    }

    private static final class Given implements Feed {
        private final IntFunction<Batch> feed;
        private int taken;

        Given(IntFunction<Batch> feed) {
            this.feed = feed;
        }

        @Override
        public Batch next() {
            return feed.apply(taken++);
        }

        @Override
        public boolean isWanted() {
            return true;
        }
    }
}

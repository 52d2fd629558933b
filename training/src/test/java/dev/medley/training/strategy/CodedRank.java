package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.StepTag;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.SpanHash;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.bucket.LowRankSum;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One of some workers at sites, in double precision, whose steps are unlike each other. */
final class CodedRank implements AutoCloseable {
    final Replica replica;
    private final int rank;
    private final Strategy strategy;
    private @Nullable LowRankSum lowRank;
    private @Nullable Buckets buckets;

    /**
     * What trains.
     *
     * @param batches of a rank in a step
     */
    record Way(
            TargetKind kind,
            Compress codec,
            CodecSpec how,
            int batches,
            Function<Replica, Strategy> making) {
        Way through(Compress other, CodecSpec spec) {
            return new Way(kind, other, spec, batches, making);
        }
    }

    /**
     * Steps of one group.
     *
     * @param isContinued whether it is the group before
     * @param data each rank's batch, by step
     * @param inVain steps that are computed once before, and discarded
     */
    record Stretch(boolean isContinued, List<List<Batch>> data, List<Integer> inVain) {
        /** Of the first group, nothing in vain. */
        static Stretch of(List<List<Batch>> data) {
            return new Stretch(false, data, List.of());
        }

        Stretch goingOn() {
            return new Stretch(true, data, inVain);
        }

        Stretch discarding(Integer... steps) {
            return new Stretch(isContinued, data, List.of(steps));
        }
    }

    CodedRank(int rank, Way way) {
        this.rank = rank;
        this.replica = Samples.replica(way.kind(), 1, Precision.FP64);
        this.strategy = way.making().apply(replica);
    }

    /** The parameters, equal on all workers at these sites, after stretches of steps. */
    static double[] train(List<String> sites, Way way, Stretch... stretches) throws Exception {
        List<CodedRank> workers = new ArrayList<>();
        try (RanksOnThreads ranks = new RanksOnThreads(sites, way.codec(), way.how())) {
            for (int rank = 0; rank < sites.size(); rank++) {
                workers.add(new CodedRank(rank, way));
            }
            int done = 0;
            for (int epoch = 1; epoch <= stretches.length; epoch++) {
                Stretch stretch = stretches[epoch - 1];
                if (stretch.isContinued()) {
                    ranks.goOnWith(way.codec(), way.how());
                }
                Group group = ranks.group(epoch);
                int from = done;
                ranks.play(
                        epoch,
                        1 << 18,
                        each -> workers.get(each.rank()).train(group, each, way, stretch, from));
                done += stretch.data().size();
            }
            List<String> hashes = workers.stream().map(CodedRank::hash).toList();
            assertThat(hashes).as("equal everywhere").containsOnly(hashes.get(0));
            return workers.get(0).parameters();
        } finally {
            workers.forEach(CodedRank::close);
        }
    }

    private Void train(Group group, Collective collective, Way way, Stretch stretch, int from) {
        join(group, collective, way, stretch.isContinued());
        for (int i = 0; i < stretch.data().size(); i++) {
            if (stretch.inVain().contains(i)) {
                // Of other samples: nothing may be left of them.
                Batch other = Samples.of(way.kind(), 7, 99);
                compute(way, from + i + 1, Collections.nCopies(group.size(), other));
                strategy.discarded();
            }
            Part part = compute(way, from + i + 1, stretch.data().get(i));
            strategy.update(part, buckets.tail()).run();
            buckets.applied();
        }
        return null;
    }

    private void join(Group group, Collective collective, Way way, boolean isContinued) {
        boolean isFactored = way.codec() == Compress.POWERSGD && group.size() > 1;
        long factorBytes = isFactored ? LowRankSum.bytes(replica.layout(), way.how().rank()) : 0;
        ExchangeLayout layout =
                new ExchangeLayout(
                        replica.layout().type(),
                        replica.layout().gradientBytes(),
                        0,
                        group.size(),
                        0,
                        0,
                        factorBytes,
                        0,
                        replica.countsSamples() ? 0 : ExchangeLayout.WEIGHT_BYTES,
                        0);
        replica.bindGradients(collective.buffer().slice(0, layout.gradientBytes()));
        closeFactors();
        lowRank =
                isFactored
                        ? new LowRankSum(collective, layout, replica.layout(), way.how().rank(), 1)
                        : null;
        buckets = new Buckets(replica, collective, layout, 512, way.how().exactSteps(), lowRank);
        if (isContinued) {
            strategy.continued(group, collective);
        } else {
            strategy.formed(group, collective);
        }
    }

    private Part compute(Way way, int step, List<Batch> data) {
        List<Integer> shares = data.stream().map(b -> way.batches() * b.samples()).toList();
        List<Integer> counts = Collections.nCopies(data.size(), way.batches());
        int first = shares.subList(0, rank).stream().mapToInt(n -> n).sum();
        Part part =
                new Part(
                        step,
                        rank,
                        first,
                        shares,
                        counts,
                        1 << 20,
                        way.batches(),
                        i -> 1,
                        Part.Patience.ALL);
        buckets.begin(new StepTag(1, step, 1), strategy.unit(part) * replica.usualWeight());
        StepLoss loss = strategy.compute(part, new Same(data.get(rank)), buckets);
        assertThat(loss).isNotNull();
        buckets.conclude(loss, 0);
        assertThat(buckets.finish()).isNull();
        return part;
    }

    double[] parameters() {
        DoubleBuffer buffer = replica.parameters().buffer().asDoubleBuffer();
        double[] values = new double[buffer.remaining()];
        buffer.get(values);
        return values;
    }

    private String hash() {
        return SpanHash.of(List.of(replica.parameters()));
    }

    private void closeFactors() {
        if (lowRank != null) {
            lowRank.close();
        }
    }

    @Override
    public void close() {
        closeFactors();
        strategy.close();
        replica.close();
    }

    /** The same batch again and again. */
    private record Same(Batch batch) implements Feed {
        @Override
        public Batch next() {
            return batch;
        }

        @Override
        public boolean isWanted() {
            return true;
        }
    }
}

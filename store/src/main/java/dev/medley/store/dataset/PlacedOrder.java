package dev.medley.store.dataset;

import dev.medley.base.Seeds;
import dev.medley.store.shard.BlockLayout;
import dev.medley.store.shard.Purpose;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The order of an epoch in which each rank takes samples of its own shards: a function of seed,
 * layout and the epoch's {@link PlacedEpoch sections} alone, the same for whoever asks.
 *
 * <p>Within a section the positions of a step are cut by the shares, and those of a rank stand for
 * the next samples of its {@link ShardQueue}. That goes on to the last whole step for which every
 * rank has enough; the samples that are left then, a few in a hundred where loads are even, are
 * mixed and dealt to all alike, whoever keeps them. So every sample stands at one position, however
 * uneven the loads and whatever shares change to.
 *
 * <p>Thread: one at a time.
 */
final class PlacedOrder implements EpochOrder {
    private static final long OF_A_SHARD = 4;
    private static final long OF_A_RANK = 5;
    private static final long OF_THE_REST = 6;

    private final ShardCut cut;
    private final BlockLayout layout;
    private final long seed;
    private final List<Stage> stages = new ArrayList<>();
    private final Rest rest;
    private final @Nullable Permutation[] mixed;
    private final BitSet told = new BitSet();

    /** The order of a placed epoch of the run with that seed. */
    PlacedOrder(BlockLayout layout, long seed, PlacedEpoch placed) {
        this.cut = ShardCut.of(layout);
        this.layout = layout;
        this.seed = Seeds.of(seed, Purpose.ORDER, placed.epoch());
        this.mixed = new Permutation[cut.count()];
        long[] taken = new long[cut.count()];
        long end = 0;
        for (PlacedEpoch.Section section : placed.sections()) {
            if (section.from() > end && !stages.isEmpty()) {
                break; // What was left was dealt to all alike by then.
            }
            if (!stages.isEmpty()) {
                stages.get(stages.size() - 1).take(section.from(), taken);
            }
            Stage stage = new Stage(section, taken);
            stages.add(stage);
            end = stage.end();
        }
        stages.get(stages.size() - 1).take(end, taken);
        this.rest = new Rest(end, taken);
    }

    @Override
    public long sampleAt(long position) {
        if (position < 0 || position >= cut.samples()) {
            throw new IndexOutOfBoundsException("position " + position + " of " + cut.samples());
        }
        ShardQueue.Taken at =
                position >= rest.from() ? rest.at(position) : stageOf(position).at(position);
        return cut.from(at.shard()) + within(at.shard()).at(at.index());
    }

    /** Rank whose own shards that position takes from; -1 where it is dealt to all alike. */
    int rankOf(long position) {
        return position >= rest.from() ? -1 : stageOf(position).rankOf(position);
    }

    /** First position at which samples are dealt to all alike. */
    long restFrom() {
        return rest.from();
    }

    /** The shards that the range's rank has open now or comes to next. */
    @Override
    public void readAhead(SampleRange range, EpochOrder next, LongConsumer fetch) {
        long last = range.to() - 1;
        if (range.samples() == 0 || last >= rest.from()) {
            return;
        }
        for (int shard : stageOf(last).comingTo(last)) {
            if (!told.get(shard)) {
                told.set(shard);
                long to = cut.from(shard) + cut.samplesOf(shard) - 1;
                long lastBlock = to / layout.blockSamples();
                for (long b = cut.from(shard) / layout.blockSamples(); b <= lastBlock; b++) {
                    fetch.accept(b);
                }
            }
        }
    }

    private Permutation within(int shard) {
        Permutation known = mixed[shard];
        if (known == null) {
            known = new Permutation(cut.samplesOf(shard), Seeds.of(seed, OF_A_SHARD, shard));
            mixed[shard] = known;
        }
        return known;
    }

    private Stage stageOf(long position) {
        Stage found = stages.get(0);
        for (Stage stage : stages) {
            if (stage.from <= position) {
                found = stage;
            }
        }
        return found;
    }

    /** A section, and what each rank has for it. */
    private final class Stage {
        private final long from;
        private final long[] starts;
        private final List<ShardQueue> queues = new ArrayList<>();
        private final long steps;

        Stage(PlacedEpoch.Section section, long[] taken) {
            from = section.from();
            int ranks = section.shares().size();
            starts = new long[ranks + 1];
            long wholeSteps = Long.MAX_VALUE;
            for (int rank = 0; rank < ranks; rank++) {
                int share = section.shares().get(rank);
                starts[rank + 1] = starts[rank] + share;
                ShardQueue queue = queue(section, rank, taken);
                queues.add(queue);
                wholeSteps =
                        share == 0 ? wholeSteps : Math.min(wholeSteps, queue.samples() / share);
            }
            steps = wholeSteps;
        }

        private ShardQueue queue(PlacedEpoch.Section section, int rank, long[] taken) {
            List<Integer> own = new ArrayList<>();
            for (int shard = 0; shard < cut.count(); shard++) {
                if (section.owners().get(shard) == rank) {
                    own.add(shard);
                }
            }
            long drawn = Seeds.of(seed, OF_A_RANK, from, rank);
            Permutation order = new Permutation(own.size(), drawn);
            List<Integer> begun = new ArrayList<>();
            List<Integer> whole = new ArrayList<>();
            for (int i = 0; i < own.size(); i++) {
                int shard = own.get((int) order.at(i));
                (taken[shard] > 0 ? begun : whole).add(shard);
            }
            begun.addAll(whole);
            return new ShardQueue(begun, cut, taken, lanes(own.size()), drawn);
        }

        /** As many as the memory for decoded data holds, with room for the next ones. */
        private int lanes(int shards) {
            long shardBlocks = Math.max(1, cut.shardSamples() / layout.blockSamples());
            long fit = layout.windowBlocks() / shardBlocks;
            return (int) Math.max(1, shards <= 2 * fit ? shards : fit);
        }

        private long batch() {
            return starts[starts.length - 1];
        }

        long end() {
            return from + steps * batch();
        }

        int rankOf(long position) {
            long offset = (position - from) % batch();
            int rank = Arrays.binarySearch(starts, offset);
            int found = rank < 0 ? -rank - 2 : rank;
            while (starts[found + 1] == starts[found]) {
                found++;
            }
            return found;
        }

        ShardQueue.Taken at(long position) {
            int rank = rankOf(position);
            return queues.get(rank).at(nth(position, rank));
        }

        private long nth(long position, int rank) {
            long step = (position - from) / batch();
            long offset = (position - from) % batch() - starts[rank];
            return step * (starts[rank + 1] - starts[rank]) + offset;
        }

        List<Integer> comingTo(long position) {
            int rank = rankOf(position);
            return queues.get(rank).comingTo(nth(position, rank), cut.shardSamples());
        }

        /** Counts the positions before {@code position}, at which a step begins, as taken. */
        void take(long position, long[] taken) {
            long whole = (position - from) / batch();
            if (whole * batch() != position - from) {
                throw new IllegalStateException(
                        "position %d is within a step of %d samples from %d"
                                .formatted(position, batch(), from));
            }
            for (int rank = 0; rank < queues.size(); rank++) {
                queues.get(rank).take(whole * (starts[rank + 1] - starts[rank]), taken);
            }
        }
    }

    /** What is left when a rank has no whole share any more. */
    private final class Rest {
        private final long from;
        private final long[] taken;
        private final long[] ends;
        private final Permutation order;

        Rest(long from, long[] taken) {
            this.from = from;
            this.taken = taken;
            this.ends = new long[taken.length];
            long end = 0;
            for (int shard = 0; shard < taken.length; shard++) {
                end += cut.samplesOf(shard) - taken[shard];
                ends[shard] = end;
            }
            this.order = new Permutation(end, Seeds.of(seed, OF_THE_REST));
        }

        long from() {
            return from;
        }

        ShardQueue.Taken at(long position) {
            long nth = order.at(position - from);
            int low = 0;
            int high = ends.length - 1;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (ends[middle] <= nth) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            long before = low == 0 ? 0 : ends[low - 1];
            return new ShardQueue.Taken(low, taken[low] + nth - before);
        }
    }
}

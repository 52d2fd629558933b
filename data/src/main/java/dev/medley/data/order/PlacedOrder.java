package dev.medley.data.order;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.data.shard.BlockLayout;
import dev.medley.data.shard.Purpose;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Computes the order of an epoch in which each rank takes samples of its own shards. It is a
 * function only of seed, layout and the epoch's {@link PlacedEpoch sections}, the same for every
 * caller.
 *
 * <p>Each section is a {@link PlacedStage}: the positions of a step are cut by the shares, and
 * those of a rank stand for the next samples of its {@link ShardQueue}. What is left when no whole
 * step is left, less than a batch, is mixed and stands at the last positions. So every sample
 * stands at one position, however uneven the loads and whatever shares change to.
 *
 * <p>Thread: one at a time.
 */
public final class PlacedOrder implements EpochOrder {
    private static final long OF_A_SHARD = 4;
    private static final long OF_THE_REST = 6;

    /** Of half a MiB: what a machine that fetches its shards has to have for its first batches. */
    private static final int OPEN_BLOCKS = 32;

    private static final int FEWEST_OPEN = 16;

    /** Blocks of a shard that are mixed. */
    private static final int OF_ONE_SHARD = OPEN_BLOCKS / FEWEST_OPEN;

    private final ShardCut cut;
    private final BlockLayout layout;
    private final long seed;
    private final List<PlacedStage> stages = new ArrayList<>();
    private final List<ShardPiece> rest;
    private final Permutation mixedRest;
    private final @Nullable SampleOrder[] orders;
    private final BitSet told = new BitSet();

    /**
     * The order of a placed epoch of the run with that seed.
     *
     * @throws ConfigException if the plans are those of another set
     */
    public PlacedOrder(BlockLayout layout, long seed, PlacedEpoch placed) {
        this.cut = ShardCut.of(layout);
        this.layout = layout;
        this.seed = Seeds.of(seed, Purpose.ORDER, placed.epoch());
        this.orders = new SampleOrder[cut.count()];
        List<ShardPiece> left = new ArrayList<>();
        for (int shard = 0; shard < cut.count(); shard++) {
            left.add(new ShardPiece(shard, 0, cut.samplesOf(shard)));
        }
        for (PlacedEpoch.Section section : placed.sections()) {
            ConfigException.check(
                    section.owners().size() == cut.count(),
                    "the plans place %d shards, and this data has %d: repeat a run with the data"
                            + " that it had",
                    section.owners().size(),
                    cut.count());
            left = stages.isEmpty() ? left : last().leftAt(section.from());
            stages.add(new PlacedStage(section, left, lanes(), this.seed));
        }
        this.rest = last().leftAt(last().end());
        this.mixedRest = new Permutation(restSamples(), Seeds.of(this.seed, OF_THE_REST));
    }

    @Override
    public long sampleAt(long position) {
        if (position < 0 || position >= cut.samples()) {
            throw new IndexOutOfBoundsException("position " + position + " of " + cut.samples());
        }
        ShardQueue.Place at =
                position < restFrom() ? stageOf(position).at(position) : inRest(position);
        return sampleOf(at);
    }

    private long sampleOf(ShardQueue.Place place) {
        return cut.from(place.shard()) + within(place.shard()).sampleAt(place.index());
    }

    /** First of the positions that are no whole step's. */
    long restFrom() {
        return last().end();
    }

    /**
     * The next window of each piece that the range's rank has open, and of each piece that it comes
     * to next as large a part as it has taken of the one before.
     */
    @Override
    public void readAhead(SampleRange range, EpochOrder next, LongConsumer fetch) {
        long last = range.to() - 1;
        if (range.samples() == 0 || last >= restFrom()) {
            return;
        }
        for (ShardQueue.Coming coming : stageOf(last).comingAt(last)) {
            long from = cut.firstBlock(coming.next().shard(), layout);
            long blocks = cut.endBlock(coming.next().shard(), layout) - from;
            long due = Math.round(coming.part() * blocks);
            for (long block = from; block < from + due; block++) {
                tell(block, fetch);
            }
        }
        for (ShardQueue.Place later : stageOf(last).aheadAt(last, windowSamples())) {
            tell(sampleOf(later) / layout.blockSamples(), fetch);
        }
    }

    private void tell(long block, LongConsumer fetch) {
        if (!told.get(Math.toIntExact(block))) {
            told.set(Math.toIntExact(block));
            fetch.accept(block);
        }
    }

    private ShardQueue.Place inRest(long position) {
        long nth = mixedRest.at(position - restFrom());
        for (ShardPiece piece : rest) {
            if (nth < piece.samples()) {
                return new ShardQueue.Place(piece.shard(), piece.from() + nth);
            }
            nth -= piece.samples();
        }
        throw new IllegalStateException("position " + position + " is beyond the epoch");
    }

    private long restSamples() {
        return rest.stream().mapToLong(ShardPiece::samples).sum();
    }

    /** A shard's own order, mixed within windows of blocks. */
    private SampleOrder within(int shard) {
        SampleOrder known = orders[shard];
        if (known == null) {
            long samples = cut.samplesOf(shard);
            BlockLayout own = new BlockLayout(samples, blockSamples(), windowBlocks());
            known = new SampleOrder(own, Seeds.of(seed, OF_A_SHARD, shard), 0);
            orders[shard] = known;
        }
        return known;
    }

    /** Of a block, or of the part of one that a shard is. */
    private int blockSamples() {
        return (int) Math.min(cut.shardSamples(), layout.blockSamples());
    }

    private int windowBlocks() {
        return Math.min(layout.windowBlocks(), OF_ONE_SHARD);
    }

    private long windowSamples() {
        return (long) windowBlocks() * blockSamples();
    }

    /**
     * Pieces that are open at once. Memory holds two windows: the open ones, the next ones, and
     * room for those that are done, or else what was read first of the next ones would go before it
     * is used.
     */
    private int lanes() {
        long fit = Math.max(1, 3L * layout.windowBlocks() / 4 / cut.blocks(layout));
        long wanted = (long) OPEN_BLOCKS * layout.blockSamples() / cut.shardSamples();
        return (int) Math.min(fit, Math.max(FEWEST_OPEN, wanted));
    }

    private PlacedStage last() {
        return stages.get(stages.size() - 1);
    }

    private PlacedStage stageOf(long position) {
        PlacedStage found = stages.get(0);
        for (PlacedStage stage : stages) {
            found = stage.from() <= position ? stage : found;
        }
        return found;
    }
}

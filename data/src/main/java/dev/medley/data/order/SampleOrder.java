package dev.medley.data.order;

import dev.medley.base.Seeds;
import dev.medley.data.shard.BlockLayout;
import dev.medley.data.shard.Purpose;
import java.util.function.LongConsumer;

/**
 * Computes the order in which an epoch visits the samples. It is a function only of seed, epoch and
 * layout, so that any number of workers that cut the positions differently see the same epoch.
 *
 * <p>Blocks are permuted and dealt into windows of {@code windowBlocks}; within a window all
 * samples are permuted. So a set larger than memory is read block by block, each block once per
 * window. Memory is constant: both permutations are computed, not stored.
 *
 * <p>Of the blocks only the last one may be short. It is put at a drawn place of the block order,
 * and at the end of its window's numbering, so that positions are found by arithmetic.
 *
 * <p>Thread: one at a time, since the window at hand is kept.
 */
public final class SampleOrder implements EpochOrder {
    private final BlockLayout layout;
    private final long seed;
    private final long windowBlocks;
    private final long shortPlace;
    private final Permutation fullBlocks;

    private long window = -1;
    private Permutation mixed = new Permutation(0, 0);
    private long toldFor = -1;
    private long told;

    /** The order of {@code epoch} (from 0). */
    public SampleOrder(BlockLayout layout, long seed, long epoch) {
        this.layout = layout;
        this.seed = Seeds.of(seed, Purpose.ORDER, epoch);
        long blocks = layout.blocks();
        this.windowBlocks = Math.max(1, Math.min(layout.windowBlocks(), blocks));
        this.shortPlace = blocks == 0 ? 0 : Seeds.generator(this.seed, 1).nextLong(blocks);
        this.fullBlocks = new Permutation(Math.max(0, blocks - 1), Seeds.of(this.seed, 2));
    }

    /** Positions of an epoch, which is the number of samples. */
    public long samples() {
        return layout.samples();
    }

    @Override
    public long sampleAt(long position) {
        if (position < 0 || position >= layout.samples()) {
            throw new IndexOutOfBoundsException("position " + position + " of " + layout.samples());
        }
        long wanted = windowOf(position);
        if (wanted != window) {
            window = wanted;
            mixed =
                    new Permutation(
                            windowStart(wanted + 1) - windowStart(wanted),
                            Seeds.of(seed, 3, wanted));
        }
        long local = mixed.at(position - windowStart(wanted));
        long place = placeInWindow(wanted, local / layout.blockSamples());
        return blockAt(place) * layout.blockSamples() + local % layout.blockSamples();
    }

    /**
     * When a part of a window has been used, the same part of the next window's blocks is due; that
     * of the last one is the first of the next epoch.
     */
    @Override
    public void readAhead(SampleRange range, EpochOrder next, LongConsumer fetch) {
        if (windows() < 2 || range.to() == 0) {
            return;
        }
        long used = windowOf(range.to() - 1);
        if (toldFor != used) {
            toldFor = used;
            told = 0;
        }
        boolean isLast = used + 1 == windows();
        if (isLast && !(next instanceof SampleOrder)) {
            return;
        }
        SampleOrder order = isLast ? (SampleOrder) next : this;
        long first = isLast ? 0 : order.firstPlace(used + 1);
        long last = order.firstPlace(isLast ? 1 : used + 2);
        long start = windowStart(used);
        double part = (double) (range.to() - start) / (windowStart(used + 1) - start);
        long due = (long) Math.ceil(part * (last - first));
        for (; told < due; told++) {
            fetch.accept(order.blockAt(first + told));
        }
    }

    /** Number of windows. */
    public long windows() {
        return (layout.blocks() + windowBlocks - 1) / windowBlocks;
    }

    /** The window that {@code position} lies in. */
    public long windowOf(long position) {
        long guess = position / (windowBlocks * layout.blockSamples());
        return position >= windowStart(guess + 1) ? guess + 1 : guess;
    }

    /** First position of window {@code w}; of the one after the last, the number of samples. */
    public long windowStart(long w) {
        long places = Math.min(w * windowBlocks, layout.blocks());
        long full = places * layout.blockSamples();
        long missing = layout.blocks() * layout.blockSamples() - layout.samples();
        return shortPlace < places ? full - missing : full;
    }

    /** The block at place {@code place} of the permuted blocks. */
    public long blockAt(long place) {
        if (place == shortPlace) {
            return layout.blocks() - 1;
        }
        return fullBlocks.at(place > shortPlace ? place - 1 : place);
    }

    /** Places of the blocks of window {@code w}: from here to before that of the next window. */
    public long firstPlace(long w) {
        return Math.min(w * windowBlocks, layout.blocks());
    }

    private long placeInWindow(long w, long nth) {
        long first = firstPlace(w);
        long last = firstPlace(w + 1) - 1;
        if (shortPlace < first || shortPlace > last) {
            return first + nth;
        }
        long place = first + nth;
        return place == last ? shortPlace : place >= shortPlace ? place + 1 : place;
    }
}

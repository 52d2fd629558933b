package dev.medley.data.order;

import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Computes the order in which a rank takes samples from its pieces of shards. Pieces are dealt into
 * lanes, one behind the other in each; every round takes a sample of each lane that has one left,
 * in a drawn order. So batches mix as many shards as there are lanes. After any number of samples
 * each piece has been taken from its beginning up to some place, and a rank that continues it needs
 * to know only that place.
 *
 * <p>Thread: one at a time, since the round at hand is kept.
 */
final class ShardQueue {
    private final long seed;
    private final List<Lane> lanes;
    private final List<Stretch> stretches = new ArrayList<>();
    private final long samples;

    private long round = -1;
    private Permutation drawn = new Permutation(0, 0);

    /** A place in a shard's own order. */
    record Place(int shard, long index) {}

    /** Rounds that take a sample of so many lanes. */
    private record Stretch(long firstSample, long firstRound, int lanes) {}

    /**
     * Pieces one behind the other.
     *
     * @param pieces with something in each
     * @param ends samples up to the end of each
     */
    private record Lane(List<ShardPiece> pieces, long[] ends) {
        static Lane of(List<ShardPiece> pieces) {
            long[] ends = new long[pieces.size()];
            long end = 0;
            for (int i = 0; i < ends.length; i++) {
                end += pieces.get(i).samples();
                ends[i] = end;
            }
            return new Lane(pieces, ends);
        }

        long samples() {
            return ends.length == 0 ? 0 : ends[ends.length - 1];
        }

        /** Which piece has the lane's nth sample. */
        int pieceOf(long nth) {
            int found = Arrays.binarySearch(ends, nth);
            return found < 0 ? -found - 1 : found + 1;
        }

        /** Samples before a piece. */
        long before(int piece) {
            return piece == 0 ? 0 : ends[piece - 1];
        }

        Place at(long nth) {
            int piece = pieceOf(nth);
            ShardPiece in = pieces.get(piece);
            return new Place(in.shard(), in.from() + nth - before(piece));
        }

        void leave(long taken, List<ShardPiece> left) {
            for (int piece = pieceOf(taken); piece < ends.length; piece++) {
                left.add(pieces.get(piece).without(Math.max(0, taken - before(piece))));
            }
        }
    }

    /** How far the piece before this one has been taken, from 0 to 1. */
    record Coming(ShardPiece next, double part) {}

    /**
     * A queue.
     *
     * @param pieces in the order in which lanes begin them
     * @param most lanes
     * @param seed that the order within rounds is drawn from
     */
    ShardQueue(List<ShardPiece> pieces, int most, long seed) {
        this.seed = seed;
        this.lanes = lanes(pieces, Math.max(1, Math.min(most, pieces.size())));
        long sample = 0;
        long from = 0;
        for (int active = lanes.size(); active > 0; active--) {
            long to = lanes.get(active - 1).samples();
            if (to > from) {
                stretches.add(new Stretch(sample, from, active));
                sample += (to - from) * active;
                from = to;
            }
        }
        this.samples = sample;
    }

    /** The longest first; each piece goes to the lane that is the shortest by then. */
    private static List<Lane> lanes(List<ShardPiece> pieces, int count) {
        List<List<ShardPiece>> dealt = new ArrayList<>();
        long[] lengths = new long[count];
        for (int i = 0; i < count; i++) {
            dealt.add(new ArrayList<>());
        }
        int next = 0;
        for (ShardPiece piece : pieces) {
            int lane = next < count ? next++ : shortest(lengths);
            dealt.get(lane).add(piece);
            lengths[lane] += piece.samples();
        }
        return dealt.stream()
                .map(Lane::of)
                .sorted(Comparator.comparingLong(lane -> -lane.samples()))
                .toList();
    }

    private static int shortest(long[] lengths) {
        int found = 0;
        for (int i = 1; i < lengths.length; i++) {
            found = lengths[i] < lengths[found] ? i : found;
        }
        return found;
    }

    /** Samples in all. */
    long samples() {
        return samples;
    }

    /** The {@code nth} sample, from 0. */
    Place at(long nth) {
        Stretch in = stretchOf(nth);
        long wanted = roundOf(nth, in);
        draw(wanted, in.lanes());
        int lane = (int) drawn.at((nth - in.firstSample()) % in.lanes());
        return lanes.get(lane).at(wanted);
    }

    /** What is left when the first {@code count} samples are taken. */
    List<ShardPiece> leftAfter(long count) {
        List<ShardPiece> left = new ArrayList<>();
        if (count >= samples) {
            return left;
        }
        Stretch in = stretchOf(count);
        long rounds = roundOf(count, in);
        boolean[] isIn = new boolean[lanes.size()];
        draw(rounds, in.lanes());
        for (long i = 0; i < (count - in.firstSample()) % in.lanes(); i++) {
            isIn[(int) drawn.at(i)] = true;
        }
        for (int lane = 0; lane < lanes.size(); lane++) {
            Lane of = lanes.get(lane);
            of.leave(Math.min(of.samples(), rounds + (isIn[lane] ? 1 : 0)), left);
        }
        return left;
    }

    /** The pieces that lanes come to next, when the nth sample is taken. */
    List<Coming> comingAt(long nth) {
        long now = roundOf(nth, stretchOf(nth));
        List<Coming> coming = new ArrayList<>();
        for (Lane lane : lanes) {
            int present = lane.pieceOf(now);
            if (present + 1 < lane.ends().length) {
                double taken = now + 1 - lane.before(present);
                double part = taken / lane.pieces().get(present).samples();
                coming.add(new Coming(lane.pieces().get(present + 1), Math.min(1, part)));
            }
        }
        return coming;
    }

    /** The place so many samples later in each piece that is open at the nth sample. */
    List<Place> aheadAt(long nth, long samplesLater) {
        long now = roundOf(nth, stretchOf(nth));
        List<Place> ahead = new ArrayList<>();
        for (Lane lane : lanes) {
            int present = lane.pieceOf(now);
            if (present < lane.ends().length && now + samplesLater < lane.ends()[present]) {
                ahead.add(lane.at(now + samplesLater));
            }
        }
        return ahead;
    }

    private static long roundOf(long nth, Stretch in) {
        return in.firstRound() + (nth - in.firstSample()) / in.lanes();
    }

    private void draw(long wanted, int active) {
        if (wanted != round) {
            round = wanted;
            drawn = new Permutation(active, Seeds.of(seed, wanted));
        }
    }

    private Stretch stretchOf(long nth) {
        if (nth < 0 || nth >= samples) {
            throw new IndexOutOfBoundsException("sample " + nth + " of " + samples);
        }
        int low = 0;
        int high = stretches.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (stretches.get(middle).firstSample() <= nth) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return stretches.get(low);
    }
}

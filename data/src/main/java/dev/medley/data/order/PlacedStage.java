package dev.medley.data.order;

import dev.medley.base.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Cuts one section of an epoch into what each rank takes: in every whole step as many samples as
 * its share, of its own shards. A rank that has more samples than it comes to take leaves the rest
 * to ranks that have fewer, whole pieces first; that is little where shards are placed by shares.
 *
 * <p>Thread: one at a time.
 */
final class PlacedStage {
    private static final long OF_A_RANK = 5;

    private final long from;
    private final long steps;

    /** First sample of each rank's share within a step; last, the samples of a step. */
    private final long[] starts;

    private final List<ShardQueue> queues = new ArrayList<>();
    private final List<ShardPiece> nobodys;

    /**
     * A stage.
     *
     * @param left what the epoch has left at its beginning
     * @param open pieces that a rank has open at once, unless it has hardly more
     * @param seed of the epoch
     */
    PlacedStage(PlacedEpoch.Section section, List<ShardPiece> left, int open, long seed) {
        from = section.from();
        int ranks = section.shares().size();
        starts = new long[ranks + 1];
        for (int rank = 0; rank < ranks; rank++) {
            starts[rank + 1] = starts[rank] + section.shares().get(rank);
        }
        steps = samples(left) / batch();
        List<List<ShardPiece>> own = owned(section, left, seed);
        Deque<ShardPiece> over = new ArrayDeque<>();
        for (int rank = 0; rank < ranks; rank++) {
            giveUp(own.get(rank), samples(own.get(rank)) - takes(rank), over);
        }
        for (int rank = 0; rank < ranks; rank++) {
            takeOver(own.get(rank), takes(rank) - samples(own.get(rank)), over);
            int pieces = own.get(rank).size();
            int lanes = pieces <= 2L * open ? pieces : open;
            queues.add(new ShardQueue(own.get(rank), lanes, Seeds.of(seed, OF_A_RANK, from, rank)));
        }
        nobodys = List.copyOf(over);
    }

    /** First position. */
    long from() {
        return from;
    }

    /** Position after the last whole step. */
    long end() {
        return from + steps * batch();
    }

    /** What stands at a position before the {@link #end}. */
    ShardQueue.Place at(long position) {
        int rank = rankOf(position);
        return queues.get(rank).at(nth(position, rank));
    }

    /** The rank that takes a position. */
    int rankOf(long position) {
        long offset = (position - from) % batch();
        int found = Arrays.binarySearch(starts, offset);
        int rank = found < 0 ? -found - 2 : found;
        while (starts[rank + 1] == starts[rank]) {
            rank++; // Shares of nothing begin where the next one does.
        }
        return rank;
    }

    /** The pieces that come next where the rank is that takes a position. */
    List<ShardQueue.Coming> comingAt(long position) {
        int rank = rankOf(position);
        return queues.get(rank).comingAt(nth(position, rank));
    }

    /** The places so many samples later in each piece that is open where a position is taken. */
    List<ShardQueue.Place> aheadAt(long position, long samples) {
        int rank = rankOf(position);
        return queues.get(rank).aheadAt(nth(position, rank), samples);
    }

    /** What the epoch has left before {@code position}, at which a step begins. */
    List<ShardPiece> leftAt(long position) {
        long done = (position - from) / batch();
        if (done * batch() != position - from || position > end()) {
            throw new IllegalStateException(
                    "position %d is no beginning of a step of %d samples from %d on"
                            .formatted(position, batch(), from));
        }
        List<ShardPiece> left = new ArrayList<>();
        for (int rank = 0; rank < queues.size(); rank++) {
            left.addAll(queues.get(rank).leftAfter(done * share(rank)));
        }
        left.addAll(nobodys);
        return left;
    }

    /** By rank, in a drawn order; what was begun before comes first. */
    private List<List<ShardPiece>> owned(
            PlacedEpoch.Section section, List<ShardPiece> left, long seed) {
        Permutation order = new Permutation(left.size(), Seeds.of(seed, OF_A_RANK, from));
        List<List<ShardPiece>> own = new ArrayList<>();
        for (int rank = 0; rank + 1 < starts.length; rank++) {
            own.add(new ArrayList<>());
        }
        for (boolean isBegun : new boolean[] {true, false}) {
            for (int i = 0; i < left.size(); i++) {
                ShardPiece piece = left.get((int) order.at(i));
                if (piece.from() > 0 == isBegun) {
                    own.get(section.owners().get(piece.shard())).add(piece);
                }
            }
        }
        return own;
    }

    private static void giveUp(List<ShardPiece> own, long samples, Deque<ShardPiece> over) {
        long left = samples;
        while (left > 0) {
            ShardPiece last = own.remove(own.size() - 1);
            long kept = Math.max(0, last.samples() - left);
            over.add(last.without(kept));
            if (kept > 0) {
                own.add(last.first(kept));
            }
            left -= last.samples() - kept;
        }
    }

    private static void takeOver(List<ShardPiece> own, long samples, Deque<ShardPiece> over) {
        long wanted = samples;
        while (wanted > 0) {
            ShardPiece next = over.removeFirst();
            long taken = Math.min(wanted, next.samples());
            own.add(next.first(taken));
            if (taken < next.samples()) {
                over.addFirst(next.without(taken));
            }
            wanted -= taken;
        }
    }

    private long batch() {
        return starts[starts.length - 1];
    }

    private long share(int rank) {
        return starts[rank + 1] - starts[rank];
    }

    /** Samples that a rank takes in all steps. */
    private long takes(int rank) {
        return steps * share(rank);
    }

    private long nth(long position, int rank) {
        long step = (position - from) / batch();
        return step * share(rank) + (position - from) % batch() - starts[rank];
    }

    private static long samples(List<ShardPiece> pieces) {
        return pieces.stream().mapToLong(ShardPiece::samples).sum();
    }
}

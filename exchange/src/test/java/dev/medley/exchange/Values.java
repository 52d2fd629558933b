package dev.medley.exchange;

import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Numbers to sum, and their sum by a plain loop that says in which order. */
final class Values {
    /** So that the numbers are less than 2^-7 to 2^8: all orders of magnitude are as frequent. */
    private static final double[] SCALES =
            IntStream.range(-7, 9).mapToDouble(e -> Math.scalb(1.0, e - 53)).toArray();

    private Values() {}

    /** Numbers of both signs from some thousandths to some hundreds: the order of a sum shows. */
    static void fill(Span span, ElementType type, long seed, int rank) {
        RandomGenerator random = Seeds.generator(seed, rank);
        for (ByteBuffer piece : span.buffers()) {
            while (piece.hasRemaining()) {
                long bits = random.nextLong();
                double value = (bits >> 10) * SCALES[(int) bits & 15];
                if (type == ElementType.FLOAT32) {
                    piece.putFloat((float) value);
                } else {
                    piece.putDouble(value);
                }
            }
        }
    }

    /**
     * What every rank must hold after the sum. Element i lies in part p of n; it is summed from
     * rank p+1 round to rank p.
     */
    static Span sum(long bytes, ElementType type, long seed, int ranks) {
        return sumRound(bytes, type, seed, IntStream.range(0, ranks).boxed().toList());
    }

    /** The same where the ring goes through the ranks in another order. */
    static Span sumRound(long bytes, ElementType type, long seed, List<Integer> ring) {
        int ranks = ring.size();
        ByteBuffer[] in = new ByteBuffer[ranks];
        for (int place = 0; place < ranks; place++) {
            Span values = Span.allocate(bytes);
            fill(values, type, seed, ring.get(place));
            in[place] = values.buffer();
        }
        Span out = Span.allocate(bytes);
        ByteBuffer sums = out.buffer();
        int elements = (int) (bytes / type.bytes());
        for (int i = 0; i < elements; i++) {
            int part = partOf(i, elements, ranks);
            if (type == ElementType.FLOAT32) {
                float sum = in[(part + 1) % ranks].getFloat(4 * i);
                for (int k = 2; k <= ranks; k++) {
                    sum += in[(part + k) % ranks].getFloat(4 * i);
                }
                sums.putFloat(4 * i, sum);
            } else {
                double sum = in[(part + 1) % ranks].getDouble(8 * i);
                for (int k = 2; k <= ranks; k++) {
                    sum += in[(part + k) % ranks].getDouble(8 * i);
                }
                sums.putDouble(8 * i, sum);
            }
        }
        return out;
    }

    /**
     * What every rank must hold after a sum by a tree: those beyond a power of two are added to the
     * first, then ever longer rows of ranks to their neighbours on the right.
     */
    static Span sumByTree(long bytes, ElementType type, long seed, int ranks) {
        List<Span> sums = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            sums.add(Span.allocate(bytes));
            fill(sums.get(rank), type, seed, rank);
        }
        int row = Integer.highestOneBit(ranks);
        for (int rank = row; rank < ranks; rank++) {
            add(sums.get(rank - row), sums.get(rank), type, false);
        }
        for (int length = 1; length < row; length *= 2) {
            for (int left = 0; left < row; left += 2 * length) {
                add(sums.get(left), sums.get(left + length), type, false);
            }
        }
        return sums.get(0);
    }

    /**
     * What every rank must hold after a sum over sites: the values of each site in order of rank,
     * then the sums of the sites in their order.
     */
    static Span sum(long bytes, ElementType type, long seed, List<List<Integer>> sites) {
        Span out = Span.allocate(bytes);
        for (int site = 0; site < sites.size(); site++) {
            Span ofSite = Span.allocate(bytes);
            for (int place = 0; place < sites.get(site).size(); place++) {
                Span values = Span.allocate(bytes);
                fill(values, type, seed, sites.get(site).get(place));
                add(ofSite, values, type, place == 0);
            }
            add(out, ofSite, type, site == 0);
        }
        return out;
    }

    private static void add(Span target, Span values, ElementType type, boolean isFirst) {
        if (isFirst) {
            target.copyFrom(values);
            return;
        }
        ByteBuffer sums = target.buffer();
        ByteBuffer more = values.buffer();
        for (int at = 0; at < sums.capacity(); at += type.bytes()) {
            if (type == ElementType.FLOAT32) {
                sums.putFloat(at, sums.getFloat(at) + more.getFloat(at));
            } else {
                sums.putDouble(at, sums.getDouble(at) + more.getDouble(at));
            }
        }
    }

    /** Parts begin at the multiple of 16 at or below p·elements/ranks. */
    private static int partOf(int element, int elements, int ranks) {
        int part = ranks - 1;
        while (part > 0 && element < (long) part * elements / ranks / 16 * 16) {
            part--;
        }
        return part;
    }
}

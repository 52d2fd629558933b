package dev.medley.store.dataset;

import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which a rank takes what is left of its shards. They are dealt into lanes, one shard
 * behind the other in each; every round takes a sample of each lane that has one left, in a drawn
 * order. So batches mix as many shards as there are lanes, and after any number of samples each
 * shard has been taken from its beginning up to some place, which is all that has to be known of it
 * when somebody else goes on with it.
 *
 * <p>Thread: one at a time, since the round at hand is kept.
 */
final class ShardQueue {
    private final long seed;
    private final Lane[] lanes;
    private final List<Stretch> stretches = new ArrayList<>();
    private final long samples;

    private long round = -1;
    private Permutation drawn = new Permutation(0, 0);

    /** A place in a shard: the {@code index}-th sample of its own order. */
    record Taken(int shard, long index) {}

    /** Rounds that take a sample of so many lanes. */
    private record Stretch(long firstSample, long firstRound, int lanes) {}

    /** Shards one behind the other; ends: samples up to the end of each. */
    private record Lane(int[] shards, long[] first, long[] ends) {
        static Lane of(List<Integer> shards, ShardCut cut, long[] taken) {
            int[] order = shards.stream().mapToInt(Integer::intValue).toArray();
            long[] first = new long[order.length];
            long[] ends = new long[order.length];
            long end = 0;
            for (int i = 0; i < order.length; i++) {
                first[i] = taken[order[i]];
                end += cut.samplesOf(order[i]) - first[i];
                ends[i] = end;
            }
            return new Lane(order, first, ends);
        }

        long samples() {
            return ends.length == 0 ? 0 : ends[ends.length - 1];
        }

        Taken at(long nth) {
            int found = Arrays.binarySearch(ends, nth);
            int i = found < 0 ? -found - 1 : found + 1;
            long before = i == 0 ? 0 : ends[i - 1];
            return new Taken(shards[i], first[i] + nth - before);
        }

        void take(long samples, long[] taken) {
            for (int i = 0; i < shards.length; i++) {
                long before = i == 0 ? 0 : ends[i - 1];
                long own = Math.max(0, Math.min(samples, ends[i]) - before);
                taken[shards[i]] = first[i] + own;
            }
        }
    }

    /**
     * A queue.
     *
     * @param shards in the order in which lanes begin them; those with nothing left are left out
     * @param taken samples of each shard that were taken before
     * @param most lanes
     */
    ShardQueue(List<Integer> shards, ShardCut cut, long[] taken, int most, long seed) {
        this.seed = seed;
        List<Integer> left = shards.stream().filter(s -> taken[s] < cut.samplesOf(s)).toList();
        this.lanes = lanes(left, cut, taken, Math.max(1, Math.min(most, left.size())));
        long sample = 0;
        long from = 0;
        for (int active = lanes.length; active > 0; active--) {
            long to = lanes[active - 1].samples();
            if (to > from) {
                stretches.add(new Stretch(sample, from, active));
                sample += (to - from) * active;
                from = to;
            }
        }
        this.samples = sample;
    }

    /** The longest first; each shard goes to the lane that is the shortest by then. */
    private static Lane[] lanes(List<Integer> shards, ShardCut cut, long[] taken, int count) {
        List<List<Integer>> dealt = new ArrayList<>();
        long[] lengths = new long[count];
        for (int lane = 0; lane < count; lane++) {
            dealt.add(new ArrayList<>());
        }
        int next = 0;
        for (int shard : shards) {
            int shortest = next < count ? next++ : shortest(lengths);
            dealt.get(shortest).add(shard);
            lengths[shortest] += cut.samplesOf(shard) - taken[shard];
        }
        return dealt.stream()
                .map(each -> Lane.of(each, cut, taken))
                .sorted(Comparator.comparingLong(lane -> -lane.samples()))
                .toArray(Lane[]::new);
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
    Taken at(long nth) {
        Stretch in = stretchOf(nth);
        long wanted = in.firstRound() + (nth - in.firstSample()) / in.lanes();
        draw(wanted, in.lanes());
        int lane = (int) drawn.at((nth - in.firstSample()) % in.lanes());
        return lanes[lane].at(wanted);
    }

    /** Counts the first {@code count} samples as taken. */
    void take(long count, long[] taken) {
        if (count >= samples) {
            for (Lane lane : lanes) {
                lane.take(lane.samples(), taken);
            }
            return;
        }
        Stretch in = stretchOf(count);
        long rounds = in.firstRound() + (count - in.firstSample()) / in.lanes();
        boolean[] isIn = new boolean[lanes.length];
        draw(rounds, in.lanes());
        for (long i = 0; i < (count - in.firstSample()) % in.lanes(); i++) {
            isIn[(int) drawn.at(i)] = true;
        }
        for (int lane = 0; lane < lanes.length; lane++) {
            long own = Math.min(lanes[lane].samples(), rounds + (isIn[lane] ? 1 : 0));
            lanes[lane].take(own, taken);
        }
    }

    /** Shards that lanes come to within {@code rounds} rounds after that of the nth sample. */
    List<Integer> comingTo(long nth, long rounds) {
        if (nth >= samples) {
            return List.of();
        }
        Stretch in = stretchOf(nth);
        long from = in.firstRound() + (nth - in.firstSample()) / in.lanes();
        List<Integer> coming = new ArrayList<>();
        for (Lane lane : lanes) {
            for (int i = 0; i < lane.shards().length; i++) {
                long begin = i == 0 ? 0 : lane.ends()[i - 1];
                if (lane.ends()[i] > from && begin <= from + rounds) {
                    coming.add(lane.shards()[i]);
                }
            }
        }
        return coming;
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
        Stretch found = stretches.get(0);
        int low = 0;
        int high = stretches.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (stretches.get(middle).firstSample() <= nth) {
                found = stretches.get(middle);
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return found;
    }
}

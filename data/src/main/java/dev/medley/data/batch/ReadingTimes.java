package dev.medley.data.batch;

import dev.medley.base.Seeds;
import dev.medley.base.placement.ShardPlacement;
import dev.medley.base.time.Clock;
import dev.medley.data.order.Permutation;
import dev.medley.data.order.ShardCut;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.Purpose;
import dev.medley.data.shard.SampleKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Estimates from a few trials how long the samples of each shard take to read. Records of a user's
 * own source may be long or short, near or far. Shards are tried one after the other in an order
 * that is spread over the set, with samples that are spread over the shard, until {@link
 * ShardPlacement#TRIED} of each were tried or the time is up. A shard that was not tried takes as
 * long as the nearest one that was.
 */
final class ReadingTimes {
    private static final long MOST_NS = TimeUnit.SECONDS.toNanos(2);

    private final ShardCut cut;
    private final SampleReader reader;
    private final BatchBuffers room;
    private final Clock clock;

    ReadingTimes(ShardCut cut, SampleReader reader, BatchBuffers room, Clock clock) {
        this.cut = cut;
        this.reader = reader;
        this.room = room;
        this.clock = clock;
    }

    /** Nanoseconds that all samples of each shard take, in order of shards. */
    List<Double> all() {
        TreeMap<Integer, List<Double>> tried = tried();
        List<Double> times = new ArrayList<>();
        for (int shard = 0; shard < cut.count(); shard++) {
            times.add(ShardPlacement.estimate(cut.samplesOf(shard), nearest(tried, shard)));
        }
        return times;
    }

    private TreeMap<Integer, List<Double>> tried() {
        TreeMap<Integer, List<Double>> tried = new TreeMap<>();
        Permutation spread = new Permutation(cut.count(), Seeds.of(0, Purpose.SPLIT));
        long beganNs = clock.nowNs();
        readingNs(0, 0); // The first of all is slow for other reasons.
        for (int round = 0; round < ShardPlacement.TRIED; round++) {
            for (int i = 0; i < cut.count(); i++) {
                int shard = (int) spread.at(i);
                tried.computeIfAbsent(shard, first -> new ArrayList<>())
                        .add(readingNs(shard, round));
                if (clock.nowNs() - beganNs > MOST_NS) {
                    return tried;
                }
            }
        }
        return tried;
    }

    private double readingNs(int shard, int round) {
        // Bits reversed: a half, a quarter, three quarters; even however many there is time for.
        long part = Integer.toUnsignedLong(Integer.reverse(round));
        long sample = cut.from(shard) + (cut.samplesOf(shard) * part >>> Integer.SIZE);
        long beganNs = clock.nowNs();
        reader.read(new SampleKey(0, sample), room, 0);
        return clock.nowNs() - beganNs;
    }

    private static List<Double> nearest(TreeMap<Integer, List<Double>> tried, int shard) {
        Map.Entry<Integer, List<Double>> below = tried.floorEntry(shard);
        Map.Entry<Integer, List<Double>> above = tried.ceilingEntry(shard);
        if (below == null || above == null) {
            return (below == null ? tried.firstEntry() : below).getValue();
        }
        boolean isBelow = shard - below.getKey() <= above.getKey() - shard;
        return (isBelow ? below : above).getValue();
    }
}

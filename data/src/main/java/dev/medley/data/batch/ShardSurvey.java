package dev.medley.data.batch;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.placement.ShardPlacement.Shard;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.order.ShardCut;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.SampleKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Finds the sizes, classes and reading times of a set's shards before they are placed. */
public final class ShardSurvey {
    /** Which class most samples of a shard are of is seen from so many of its first block. */
    private static final int TRIED = 16;

    private ShardSurvey() {}

    /**
     * The shards of a set in order. Samples of a prepared set all take as long to be read; those of
     * a user's own source are tried ({@link ReadingTimes}). Where classes are to be dealt evenly, a
     * shard's stratum is the class of most of {@value #TRIED} of its samples.
     *
     * @throws ConfigException as {@link #require} does
     */
    public static List<Shard> of(PreparedData data, long seed, Clock clock) {
        ShardCut cut = ShardCut.of(data.train().layout());
        require(data);
        boolean hasStrata = data.spec().placement() == Placement.STRATA;
        boolean isOwn = data.format() == DataFormat.CUSTOM;
        if (!hasStrata && !isOwn) {
            return shards(cut, any -> "");
        }
        try (TrainingData open = TrainingData.open(data, seed, clock)) {
            SampleReader reader = open.trainReader();
            BatchBuffers room = new BatchBuffers(data.signature());
            List<Shard> shards =
                    shards(cut, hasStrata ? strata(data, cut, reader, room) : any -> "");
            return isOwn ? taking(shards, new ReadingTimes(cut, reader, room, clock)) : shards;
        }
    }

    private static IntFunction<String> strata(
            PreparedData data, ShardCut cut, SampleReader reader, BatchBuffers room) {
        TargetKind kind = data.signature().target().kind();
        int block = data.train().layout().blockSamples();
        return shard -> {
            long samples = Math.min(block, cut.samplesOf(shard));
            return mostOf(cut.from(shard), samples, reader, room, kind);
        };
    }

    private static List<Shard> taking(List<Shard> shards, ReadingTimes times) {
        List<Double> ns = times.all();
        return IntStream.range(0, shards.size())
                .mapToObj(shard -> shards.get(shard).taking(ns.get(shard)))
                .toList();
    }

    /**
     * Whether the samples of a set can be placed as is asked for.
     *
     * @throws ConfigException if classes are to be dealt evenly, and the target is none
     */
    public static void require(PreparedData data) {
        TargetKind kind = data.signature().target().kind();
        ConfigException.check(
                data.spec().placement() != Placement.STRATA
                        || kind == TargetKind.BINARY
                        || kind == TargetKind.CLASSES,
                "data.placement=strata needs classes, and the target is %s: use data.placement="
                        + "shards",
                switch (kind) {
                    case TOKENS -> "the next token";
                    case GRADE -> "a grade";
                    case NONE -> "none";
                    default -> "a number";
                });
    }

    private static List<Shard> shards(ShardCut cut, IntFunction<String> stratum) {
        List<Shard> shards = new ArrayList<>();
        for (int shard = 0; shard < cut.count(); shard++) {
            double samples = cut.samplesOf(shard);
            shards.add(new Shard("shard-" + shard, samples, "", stratum.apply(shard)));
        }
        return shards;
    }

    private static String mostOf(
            long from, long samples, SampleReader reader, BatchBuffers room, TargetKind kind) {
        Map<Long, Integer> counts = new TreeMap<>();
        long tried = Math.min(TRIED, samples);
        for (long i = 0; i < tried; i++) {
            reader.read(new SampleKey(0, from + i * samples / tried), room, 0);
            long label =
                    kind == TargetKind.BINARY
                            ? (long) room.floats(room.target()).get(0)
                            : room.longs(room.target()).get(0);
            counts.merge(label, 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .max(Comparator.comparingInt(Map.Entry::getValue))
                .map(most -> "class " + most.getKey())
                .orElse("");
    }
}

package dev.medley.plan.codec;

import dev.medley.base.strategy.StrategySpec.Compress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A border in one direction, from a sending site to a receiving one. */
record Border(String from, String to) {
    private static final int MOST_NAMED = 4;

    @Override
    public String toString() {
        return from + " to " + to;
    }

    /** The codecs of these, for people: "a to b, b to a as they are; 6 ways as bf16". */
    static String words(Map<Border, Compress> codecs) {
        Map<Compress, List<Border>> byCodec =
                codecs.keySet().stream()
                        .collect(
                                Collectors.groupingBy(
                                        codecs::get, TreeMap::new, Collectors.toList()));
        return byCodec.entrySet().stream()
                .map(each -> words(each.getValue()) + " as " + CodecPolicy.word(each.getKey()))
                .collect(Collectors.joining("; "));
    }

    private static String words(List<Border> borders) {
        return borders.size() > MOST_NAMED
                ? borders.size() + " ways"
                : borders.stream().map(Border::toString).sorted().collect(Collectors.joining(", "));
    }
}

package dev.medley.exchange.tcp;

import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.route.Cell;
import dev.medley.exchange.tcp.Load.Freight;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the codec for each border between the sites of a group, in each direction. Bytes for one
 * other site have the codec of that border. Bytes for several sites, which must all hold the same
 * bits, are encoded once, by the coarsest of theirs: the thinnest border needs that one, and a
 * finer one for the rest would be another value. The sending site and the kind of bytes determine
 * the codec, so both ends of a link agree without a message.
 *
 * <p>Codecs have scratch memory: one caller at a time.
 */
public final class BorderCodecs {
    private static final int COMPARED_ELEMENTS = 100 * Codec.BLOCK_ELEMENTS;

    /** Nothing is coded. */
    public static final BorderCodecs NONE = new BorderCodecs(List.of(), new Codec[0][0]);

    private final List<String> sites;

    /** By the site that sends and the one that receives; null for none. */
    private final @Nullable Codec[][] codecs;

    private BorderCodecs(List<String> sites, @Nullable Codec[][] codecs) {
        this.sites = List.copyOf(sites);
        this.codecs = codecs;
    }

    /**
     * The codecs of a group.
     *
     * @param usual that of all borders of which {@code spec} says nothing else
     * @param sites their names, in order
     */
    public static BorderCodecs of(Compress usual, CodecSpec spec, List<String> sites) {
        Map<Compress, @Nullable Codec> made = new EnumMap<>(Compress.class);
        @Nullable Codec[][] codecs = new Codec[sites.size()][sites.size()];
        for (int from = 0; from < sites.size(); from++) {
            for (int to = 0; to < sites.size(); to++) {
                if (from != to) {
                    Compress kind = spec.at(sites.get(from), sites.get(to), usual);
                    codecs[from][to] =
                            made.computeIfAbsent(kind, k -> Codec.of(k, spec).orElse(null));
                }
            }
        }
        return new BorderCodecs(sites, codecs);
    }

    /** Whether no border has a codec. */
    boolean isNone() {
        return IntStream.range(0, codecs.length).allMatch(from -> of(from).isEmpty());
    }

    /** The codec for a site's bytes of a cell on their path to other sites; null for none. */
    @Nullable Codec of(int from, Cell cell, Freight freight) {
        Codec coarsest = null;
        for (int to = 0; to < codecs.length; to++) {
            boolean isTold = freight == Freight.WHOLE_SUM ^ cell.isAddedAt(to);
            Codec codec = codecs[from][to];
            if (to != from && isTold && codec != null && isCoarser(codec, coarsest)) {
                coarsest = codec;
            }
        }
        return coarsest;
    }

    private static boolean isCoarser(Codec codec, @Nullable Codec other) {
        return other == null || comparedBytes(codec) < comparedBytes(other);
    }

    /** As it is after its first exchanges, in which it may send more. */
    private static int comparedBytes(Codec codec) {
        return codec.at(Long.MAX_VALUE).encodedBytes(COMPARED_ELEMENTS);
    }

    /** The most bytes that so many elements take across any border. */
    int mostBytes(int elements) {
        return IntStream.range(0, codecs.length)
                .mapToObj(this::of)
                .flatMap(Collection::stream)
                .mapToInt(codec -> codec.encodedBytes(elements))
                .max()
                .orElse(0);
    }

    /** For the user: the codec, or what leads where by which; empty for none. */
    String description() {
        Set<String> names = new LinkedHashSet<>();
        Set<String> ways = new LinkedHashSet<>();
        for (int from = 0; from < codecs.length; from++) {
            for (int to = 0; to < codecs.length; to++) {
                Codec codec = codecs[from][to];
                if (from != to) {
                    String name = codec == null ? "none" : codec.name();
                    names.add(name);
                    ways.add("%s to %s %s".formatted(sites.get(from), sites.get(to), name));
                }
            }
        }
        return isNone() ? "" : String.join(", ", names.size() == 1 ? names : ways);
    }

    private Set<Codec> of(int from) {
        Set<Codec> all = new LinkedHashSet<>();
        for (Codec codec : codecs[from]) {
            if (codec != null) {
                all.add(codec);
            }
        }
        return all;
    }
}

package dev.medley.control.forecast;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.Json;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.base.job.StrategySpec.Kind;
import dev.medley.base.job.StreamSpec;
import dev.medley.control.forecast.Efficiency.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What samples are worth under each strategy, as far as we measured it. The shipped table lies
 * beside this class as {@code efficiency.json}; it says of each figure where it comes from.
 *
 * @param about how the figures came about, and which are guesses
 * @param entries each strategy once; data-parallel without a codec is among them with 1
 */
public record EfficiencyTable(String about, List<Efficiency> entries) {
    private static final String RESOURCE = "efficiency.json";
    private static final double UNHEARD_OF_SPREAD = 0.3;

    private record Key(Kind kind, int syncEvery, Compress compress, StreamSpec stream) {}

    public EfficiencyTable {
        entries = List.copyOf(entries);
        Set<Key> keys = new HashSet<>();
        for (Efficiency entry : entries) {
            check(
                    keys.add(
                            new Key(
                                    entry.kind(),
                                    entry.syncEvery(),
                                    entry.compress(),
                                    entry.stream())),
                    "the efficiency of %s, %d, %s, %s stands twice in the table",
                    entry.kind(),
                    entry.syncEvery(),
                    entry.compress(),
                    entry.stream());
        }
        check(
                entries.stream().anyMatch(e -> isReference(e) && e.value() == 1),
                "the table lacks what all others are compared with: data-parallel without a codec,"
                        + " 1");
    }

    /** The one that comes with Medley. */
    public static EfficiencyTable shipped() {
        try (InputStream in = EfficiencyTable.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the jar");
            }
            return Json.parse(in.readAllBytes(), EfficiencyTable.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The efficiency of a strategy. Where the table has none it is a guess by the nearest one: the
     * same kind, changes that are waited for or not, the number of steps nearest by ratio, the same
     * fragments, the same codec before another.
     */
    public Efficiency of(StrategySpec strategy) {
        int steps = strategy.round().syncEvery();
        StreamSpec stream = strategy.round().stream();
        Efficiency nearest =
                entries.stream()
                        .filter(e -> e.kind() == strategy.kind())
                        .min(
                                Comparator.comparing(
                                                (Efficiency e) ->
                                                        e.stream().isNone() != stream.isNone())
                                        .thenComparingDouble(e -> distance(e.syncEvery(), steps))
                                        .thenComparing(e -> !e.stream().equals(stream))
                                        .thenComparing(e -> e.compress() != strategy.compress())
                                        .thenComparing(Efficiency::compress))
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "the table knows no " + strategy.kind()));
        boolean isItself =
                nearest.syncEvery() == steps
                        && nearest.compress() == strategy.compress()
                        && nearest.stream().equals(stream);
        return isItself ? nearest : guessedBy(nearest, strategy);
    }

    private static Efficiency guessedBy(Efficiency nearest, StrategySpec strategy) {
        return new Efficiency(
                strategy.kind(),
                strategy.round().syncEvery(),
                strategy.compress(),
                nearest.counted(),
                UNHEARD_OF_SPREAD,
                0,
                nearest.date(),
                Origin.GUESSED,
                "as for %d steps with %s, the nearest in the table"
                        .formatted(nearest.syncEvery(), nearest.compress()),
                strategy.round().stream());
    }

    private static double distance(int one, int other) {
        return Math.abs(Math.log((double) one / other));
    }

    private static boolean isReference(Efficiency entry) {
        return entry.kind() == Kind.DATA_PARALLEL && entry.compress() == Compress.NONE;
    }
}

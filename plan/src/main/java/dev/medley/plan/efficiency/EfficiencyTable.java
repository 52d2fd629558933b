package dev.medley.plan.efficiency;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.Json;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.base.text.Words;
import dev.medley.plan.efficiency.Efficiency.Origin;
import dev.medley.plan.efficiency.Efficiency.OuterStep;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The value of samples under each strategy, as far as it was measured. The shipped table lies
 * beside this class as {@code efficiency.json}; it states the source of each figure.
 *
 * @param about how the figures came about, and which are guesses
 * @param entries each strategy once; data-parallel without a codec is among them with 1
 */
public record EfficiencyTable(String about, List<Efficiency> entries) {
    private static final String RESOURCE = "efficiency.json";
    private static final double UNHEARD_OF_SPREAD = 0.3;
    private static final long ONEBIT_EXACT_STEPS = 100;

    /** Single runs that were lucky all count 1; as guesses they would not. */
    private static final Comparator<Efficiency> LEAST =
            Comparator.comparingDouble(Efficiency::counted).thenComparingDouble(Efficiency::value);

    private record Key(
            Kind kind,
            int syncEvery,
            Compress compress,
            StreamSpec stream,
            OuterStep outer,
            @Nullable String family) {
        static Key of(Efficiency entry, @Nullable String family) {
            return new Key(
                    entry.kind(),
                    entry.syncEvery(),
                    entry.compress(),
                    entry.stream(),
                    entry.outer(),
                    family);
        }
    }

    public EfficiencyTable {
        entries = List.copyOf(entries);
        Set<Key> keys = new HashSet<>();
        for (Efficiency entry : entries) {
            check(
                    keys.add(Key.of(entry, entry.family())),
                    "the efficiency of %s, %d, %s, %s, %s stands twice in the table",
                    entry.kind(),
                    entry.syncEvery(),
                    entry.compress(),
                    entry.stream(),
                    entry.outer());
        }
        check(
                entries.stream().anyMatch(e -> isReference(e) && e.value() == 1),
                "the table lacks what all others are compared with: data-parallel without a codec,"
                        + " 1");
    }

    /** The one that comes with Medley. */
    public static EfficiencyTable shipped() {
        return of(EfficiencyTable.class, RESOURCE);
    }

    /** One that lies beside a class. */
    public static EfficiencyTable of(Class<?> beside, String resource) {
        try (InputStream in = beside.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing from the jar");
            }
            return Json.parse(in.readAllBytes(), EfficiencyTable.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What of it is to be said of models of a family: what was measured with such ones; else what
     * is said of any; else, as a guess, the least of what was measured with others.
     */
    public EfficiencyTable of(String family) {
        Map<Key, Efficiency> best = new LinkedHashMap<>();
        for (Efficiency entry : entries) {
            best.merge(Key.of(entry, null), entry, (one, other) -> nearer(one, other, family));
        }
        return new EfficiencyTable(
                about, best.values().stream().map(e -> forFamily(e, family)).toList());
    }

    /** The same with this figure, in place of what it has of the same strategy. */
    public EfficiencyTable with(Efficiency entry) {
        List<Efficiency> changed = new ArrayList<>(entries);
        Key key = Key.of(entry, null);
        changed.removeIf(e -> Key.of(e, null).equals(key));
        changed.add(entry);
        return new EfficiencyTable(about, changed);
    }

    private static Efficiency nearer(Efficiency one, Efficiency other, String family) {
        int first = distance(one, family);
        int second = distance(other, family);
        if (first != second) {
            return first < second ? one : other;
        }
        return LEAST.compare(one, other) <= 0 ? one : other;
    }

    private static int distance(Efficiency entry, String family) {
        if (entry.family() == null) {
            return 1;
        }
        return entry.family().equals(family) ? 0 : 2;
    }

    private static Efficiency forFamily(Efficiency entry, String family) {
        return distance(entry, family) < 2
                ? entry
                : entry.asGuess("as measured with %s: %s".formatted(entry.family(), entry.why()));
    }

    /**
     * The efficiency of a strategy. Where the table has none it is a guess by the nearest one: the
     * same kind, changes that are waited for or not, the same common step, the number of steps
     * nearest by ratio, the same fragments, the same codec before another. Where something else of
     * the strategy is unusual, such as a quorum or servers per site, the figure is a guess too.
     */
    public Efficiency of(StrategySpec strategy) {
        int steps = strategy.round().syncEvery();
        StreamSpec stream = strategy.round().stream();
        OuterStep outer = OuterStep.of(strategy.round());
        Efficiency nearest =
                entries.stream()
                        .filter(e -> e.kind() == strategy.kind())
                        .min(
                                Comparator.comparing(
                                                (Efficiency e) ->
                                                        e.stream().isNone() != stream.isNone())
                                        .thenComparing(e -> !e.outer().equals(outer))
                                        .thenComparingDouble(e -> distance(e.syncEvery(), steps))
                                        .thenComparing(e -> !e.stream().equals(stream))
                                        .thenComparing(e -> e.compress() != strategy.compress())
                                        .thenComparing(Efficiency::compress))
                        .orElseGet(() -> unknown(strategy, entries.get(0).date()));
        boolean isItself =
                nearest.syncEvery() == steps
                        && nearest.compress() == strategy.compress()
                        && nearest.stream().equals(stream)
                        && nearest.outer().equals(outer);
        if (isItself && isUsual(strategy)) {
            return nearest;
        }
        String why = isItself ? "as with the usual settings" : asNearest(nearest);
        return guessedBy(nearest, strategy, why);
    }

    /**
     * Whether whatever else can be set of a strategy, by which the table does not tell strategies
     * apart, is as where its figures were measured.
     */
    static boolean isUsual(StrategySpec strategy) {
        RoundSpec round = strategy.round();
        RoundSpec usual =
                RoundSpec.defaults(strategy.kind())
                        .every(round.syncEvery())
                        .outer(round.outerRate(), round.outerMomentum())
                        .streaming(round.stream());
        boolean isUsualCodec =
                strategy.compress() == Compress.NONE
                        || strategy.codec().equals(measured(strategy.compress()));
        return round.equals(usual)
                && isUsualCodec
                && strategy.async().equals(strategy.kind().usual().async());
    }

    /** How far a codec went where it was measured. */
    private static CodecSpec measured(Compress codec) {
        return codec == Compress.ONEBIT
                ? new CodecSpec(CodecSpec.DEFAULT.density(), ONEBIT_EXACT_STEPS)
                : CodecSpec.DEFAULT;
    }

    private static String asNearest(Efficiency nearest) {
        return "as for %d steps with %s, the nearest in the table"
                .formatted(nearest.syncEvery(), nearest.compress());
    }

    private static Efficiency guessedBy(Efficiency nearest, StrategySpec strategy, String why) {
        return new Efficiency(
                strategy.kind(),
                strategy.round().syncEvery(),
                strategy.compress(),
                nearest.value(),
                Math.max(UNHEARD_OF_SPREAD, nearest.value() - nearest.counted()),
                0,
                nearest.date(),
                Origin.GUESSED,
                why,
                strategy.round().stream(),
                null,
                OuterStep.of(strategy.round()));
    }

    /** Of an algorithm that nobody has measured: as if a sample counted what it usually does. */
    private static Efficiency unknown(StrategySpec strategy, String date) {
        return new Efficiency(
                strategy.kind(),
                strategy.round().syncEvery(),
                strategy.compress(),
                1,
                UNHEARD_OF_SPREAD,
                0,
                date,
                Origin.GUESSED,
                "nothing was measured of " + Words.of(strategy.kind()),
                strategy.round().stream(),
                null,
                OuterStep.of(strategy.round()));
    }

    private static double distance(int one, int other) {
        return Math.abs(Math.log((double) one / other));
    }

    private static boolean isReference(Efficiency entry) {
        return entry.kind() == Kind.DATA_PARALLEL && entry.compress() == Compress.NONE;
    }
}

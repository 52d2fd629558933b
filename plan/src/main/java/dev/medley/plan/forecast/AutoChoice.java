package dev.medley.plan.forecast;

import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.profile.cluster.Origin;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The strategy that {@code auto} chooses, by a pure function of the forecasts.
 *
 * <p>The best strategy makes the most effective samples a second. A forecast is not exact, so all
 * within {@link #MARGIN} of the best count as equal; of these data-parallel is taken if it is among
 * them, then one whose efficiency was measured, then the best of these. A strategy with rounds
 * needs a budget of at least {@value #LEAST_ROUNDS} of them, and an epoch that is not shorter than
 * a round: of shorter runs nothing is known. Fragments need as many arrays of parameters. A
 * strategy whose workers exchange letters point to point is not taken, since its runs do not
 * repeat.
 *
 * @param chosen the strategy to take
 * @param table all forecasts, in the order of candidates
 * @param why one sentence, for the plan
 */
public record AutoChoice(Forecast chosen, List<Forecast> table, String why) {
    /** Forecasts that differ by less are alike. */
    public static final double MARGIN = 0.1;

    private static final int LEAST_ROUNDS = 8;

    public AutoChoice {
        table = List.copyOf(table);
    }

    /** Chooses among all candidates; data-parallel is one of them. */
    public static AutoChoice of(List<Forecast> table, ModelFacts facts, Origin leastKnownWay) {
        Forecast plain = plain(table);
        List<Forecast> usable = table.stream().filter(f -> isUsable(f, facts)).toList();
        double best =
                usable.stream().mapToDouble(Forecast::effectiveSamplesPerSecond).max().orElse(0);
        Forecast chosen =
                usable.stream()
                        .filter(f -> f.effectiveSamplesPerSecond() * (1 + MARGIN) >= best)
                        .min(
                                Comparator.comparing((Forecast f) -> !f.equals(plain))
                                        .thenComparing(f -> f.efficiency().isGuess())
                                        .thenComparing(
                                                Comparator.comparingDouble(
                                                                Forecast::effectiveSamplesPerSecond)
                                                        .reversed()))
                        .orElse(plain);
        return new AutoChoice(chosen, table, why(chosen, plain, usable, leastKnownWay));
    }

    /** Where there is nothing to choose: data-parallel. */
    public static AutoChoice plain(List<Forecast> table, String why) {
        return new AutoChoice(plain(table), table, "auto: data-parallel: " + why);
    }

    /** Whether it is another than exact sums in every step. */
    boolean costsPrecision() {
        return !chosen.equals(plain(table));
    }

    /** The same choice as another forecaster sees it. */
    AutoChoice by(Forecaster other) {
        List<Forecast> again = table.stream().map(f -> other.of(f.candidate())).toList();
        return new AutoChoice(other.of(chosen.candidate()), again, why);
    }

    private static Forecast plain(List<Forecast> table) {
        return table.stream()
                .filter(f -> !f.candidate().hasRounds())
                .filter(f -> f.candidate().strategy().compress() == Compress.NONE)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no data-parallel in the table"));
    }

    private static boolean isUsable(Forecast forecast, ModelFacts facts) {
        return whyNot(forecast, facts) == null;
    }

    /** Whether a strategy may be taken for so many samples more. */
    static boolean isUsable(Candidate candidate, ModelFacts facts, double samples) {
        return whyNot(candidate, facts, samples) == null;
    }

    /** Why a strategy is not taken however good its forecast is; null if it may be. */
    public static @Nullable String whyNot(Forecast forecast, ModelFacts facts) {
        Forecast.Spend budget = forecast.budget();
        return whyNot(forecast.candidate(), facts, budget == null ? 0 : budget.samples());
    }

    private static @Nullable String whyNot(Candidate candidate, ModelFacts facts, double samples) {
        if (!candidate.hasRounds()) {
            return null;
        }
        if (candidate.isByLetters()) {
            return "a run does not repeat";
        }
        if (candidate.stream().fragments() > facts.mostFragments()) {
            return "the model has fewer arrays than that many fragments";
        }
        double round = (double) candidate.syncEvery() * facts.batch();
        if (round > facts.samplesPerEpoch()) {
            return "a round is longer than an epoch";
        }
        double roundsOfEpoch = Math.ceil(facts.samplesPerEpoch() / round);
        return samples * roundsOfEpoch < (double) LEAST_ROUNDS * facts.samplesPerEpoch()
                ? "the budget has fewer than %d rounds".formatted(LEAST_ROUNDS)
                : null;
    }

    private static String why(
            Forecast chosen, Forecast plain, List<Forecast> usable, Origin leastKnownWay) {
        String ways =
                leastKnownWay == Origin.MEASURED
                        ? ""
                        : ", with ways between machines that are "
                                + leastKnownWay.name().toLowerCase(Locale.ROOT);
        if (!chosen.equals(plain)) {
            return say(
                    "auto: %s: %,.0f samples/s, of which a sample counts %s, against data-parallel"
                            + " with %,.0f%s",
                    chosen.name(),
                    chosen.rate().samplesPerSecond(),
                    chosen.efficiency().words(),
                    plain.rate().samplesPerSecond(),
                    ways);
        }
        String next =
                usable.stream()
                        .filter(f -> !f.equals(plain))
                        .max(Comparator.comparingDouble(Forecast::effectiveSamplesPerSecond))
                        .map(
                                f ->
                                        say(
                                                "%s comes to %,.0f, a sample of which counts %s,"
                                                        + " which is not %.0f %% better",
                                                f.name(),
                                                f.rate().samplesPerSecond(),
                                                f.efficiency().words(),
                                                100 * MARGIN))
                        .orElse("no rounds are short enough for the budget and an epoch");
        return say(
                "auto: data-parallel: %,.0f samples/s; %s%s",
                plain.rate().samplesPerSecond(), next, ways);
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

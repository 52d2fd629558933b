package dev.medley.plan.forecast;

import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.forecast.ForecastCheck.Seen;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a run that chose its strategy switches to another: a pure function of the
 * forecasts and of what was measured.
 *
 * <p>The measurements correct all forecasts ({@link Correction}). A strategy that ran before counts
 * by the rate that it reached then. Another one is taken if it makes more effective samples a
 * second by {@link #MARGIN}, which is more than a first choice asks for, so that noise does not
 * move a run to and fro; if what is left of the budget is enough for it ({@link AutoChoice}) and
 * becomes shorter by {@value #LEAST_SAVED_SECONDS} seconds; and {@value #MOST_SWITCHES} times in a
 * run at most.
 */
final class SwitchPolicy {
    /** By so much another strategy has to be better. */
    static final double MARGIN = 0.2;

    /** Part of the predicted rate that may be missing before the forecast is called wrong. */
    static final double SLOWER = 0.3;

    static final int MOST_SWITCHES = 3;
    static final int LEAST_SAVED_SECONDS = 5;

    private SwitchPolicy() {}

    /**
     * What a run has behind it and before it.
     *
     * @param ran samples a second of the strategies that ran before, by name
     * @param switches so far
     * @param samplesLeft of the budget
     */
    record Course(Map<String, Double> ran, int switches, double samplesLeft) {
        Course {
            ran = Map.copyOf(ran);
        }
    }

    /**
     * What follows.
     *
     * @param next the choice to go on with; null to stay
     * @param asSeen forecasts as they are now
     * @param why one sentence
     */
    record Decision(@Nullable AutoChoice next, Forecaster asSeen, String why) {}

    /**
     * What follows for a run of which so much was seen.
     *
     * @param choice under which it runs
     * @param by whom the choice was made
     */
    static Decision decide(AutoChoice choice, Forecaster by, Seen seen, Course course) {
        Forecast chosen = choice.chosen();
        double measured = seen.samplesPerSecond();
        double predicted = chosen.rate().samplesPerSecond();
        String figures =
                say(
                        "auto: %s makes %,.0f samples/s, %,.0f were predicted",
                        chosen.name(), measured, predicted);
        Forecaster asSeen = Correction.of(by, chosen.candidate(), seen);
        List<Forecast> table =
                choice.table().stream()
                        .map(f -> asSeen.of(f.candidate()))
                        .map(f -> asItRan(f, chosen, course))
                        .toList();
        double now = measured * chosen.efficiency().counted();
        Optional<Forecast> best = best(table, chosen, now, by.facts(), course);
        if (best.isEmpty()) {
            boolean isWrong = measured < predicted * (1 - SLOWER);
            return new Decision(
                    null,
                    asSeen,
                    isWrong ? figures + "; no other strategy would do better" : figures);
        }
        Forecast better = best.get();
        String instead =
                say(
                        "%s; as things are %s would make %,.0f, a sample of which counts %s",
                        figures,
                        better.name(),
                        better.rate().samplesPerSecond(),
                        better.efficiency().words());
        if (course.switches() >= MOST_SWITCHES) {
            return new Decision(
                    null,
                    asSeen,
                    say(
                            "%s, but this run has changed its strategy %d times, which is enough",
                            instead, course.switches()));
        }
        return new Decision(new AutoChoice(better, table, instead), asSeen, instead);
    }

    private static Optional<Forecast> best(
            List<Forecast> table, Forecast chosen, double now, ModelFacts facts, Course course) {
        double left = course.samplesLeft();
        return table.stream()
                .filter(f -> !f.name().equals(chosen.name()))
                .filter(f -> AutoChoice.isUsable(f.candidate(), facts, left))
                .filter(f -> f.effectiveSamplesPerSecond() > now * (1 + MARGIN))
                .filter(
                        f ->
                                left / now - left / f.effectiveSamplesPerSecond()
                                        >= LEAST_SAVED_SECONDS)
                .max(Comparator.comparingDouble(Forecast::effectiveSamplesPerSecond));
    }

    private static Forecast asItRan(Forecast forecast, Forecast chosen, Course course) {
        Double ran = course.ran().get(forecast.name());
        return ran == null || forecast.name().equals(chosen.name())
                ? forecast
                : forecast.making(ran);
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

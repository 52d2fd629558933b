package dev.medley.control.forecast;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares what was predicted with what is measured. The first steps are left out, since the JVM
 * compiles in them.
 *
 * <p>Where the run is slower than predicted by more than {@link #SLOWER}, the other candidates are
 * corrected by what was seen: their compute by the ratio of measured to predicted compute, the rest
 * of their steps by that of the rest. One that would still be better by {@link AutoChoice#MARGIN}
 * is named.
 *
 * <p>Thread: owned by its caller.
 */
final class ForecastCheck {
    /** Part of the predicted rate that may be missing before it is called wrong. */
    static final double SLOWER = 0.3;

    private static final int WARM_UP_STEPS = 5;
    private static final int LEAST_STEPS = 5;
    private static final double LEAST_NS = 5e9;
    private static final double NS_PER_SECOND = 1e9;
    private static final double LEAST_REST_NS = 1e5;

    private final AutoChoice choice;
    private int steps;
    private double samples;
    private double stepNs;
    private double computeNs;

    ForecastCheck(AutoChoice choice) {
        this.choice = choice;
    }

    /** The busiest worker's compute of the step that {@link #took} is told of next. */
    void computed(long ns) {
        if (steps >= WARM_UP_STEPS) {
            computeNs += ns;
        }
    }

    /** One more step; one sentence when there were enough, and null before. */
    @Nullable String took(long ofSamples, long ns) {
        if (++steps <= WARM_UP_STEPS) {
            return null;
        }
        samples += ofSamples;
        stepNs += ns;
        boolean isEnough = steps >= WARM_UP_STEPS + LEAST_STEPS && stepNs >= LEAST_NS;
        return isEnough ? compare() : null;
    }

    private String compare() {
        Forecast chosen = choice.chosen();
        double measured = samples / stepNs * NS_PER_SECOND;
        double predicted = chosen.rate().samplesPerSecond();
        String figures =
                say(
                        "auto: %s makes %,.0f samples/s, %,.0f were predicted",
                        chosen.name(), measured, predicted);
        if (measured >= predicted * (1 - SLOWER)) {
            return figures;
        }
        double worth = chosen.efficiency().counted();
        return better(measured * worth)
                .map(
                        other ->
                                figures
                                        + say(
                                                "; as things are %s would make %,.0f: to take it,"
                                                        + " begin anew with it as the strategy",
                                                other.name(), corrected(other)))
                .orElse(figures + "; no other strategy would do better");
    }

    private Optional<Forecast> better(double effectiveNow) {
        List<Forecast> others =
                choice.table().stream().filter(f -> !f.equals(choice.chosen())).toList();
        return others.stream()
                .filter(
                        f ->
                                corrected(f) * f.efficiency().counted()
                                        > effectiveNow * (1 + AutoChoice.MARGIN))
                .max(Comparator.comparingDouble(f -> corrected(f) * f.efficiency().counted()));
    }

    /** Samples a second of a candidate if compute and exchange were as far off as the chosen's. */
    private double corrected(Forecast other) {
        Forecast.Rate mine = choice.chosen().rate();
        double batch = mine.samplesPerSecond() * mine.stepNs() / NS_PER_SECOND;
        double batches = samples / batch;
        double slowerCompute = computeNs / batches / mine.computeNs();
        double rest = Math.max(LEAST_REST_NS, mine.stepNs() - mine.computeNs());
        double slowerRest = Math.max(0, stepNs - computeNs) / batches / rest;
        Forecast.Rate rate = other.rate();
        double ns =
                rate.computeNs() * slowerCompute + (rate.stepNs() - rate.computeNs()) * slowerRest;
        return batch / ns * NS_PER_SECOND;
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

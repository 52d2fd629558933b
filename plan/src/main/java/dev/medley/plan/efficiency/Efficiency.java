package dev.medley.plan.efficiency;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The value of a sample under a strategy, against one of data-parallel in float32. It is the number
 * of samples that data-parallel needs for the same loss, divided by the number that this strategy
 * needs.
 *
 * @param kind of the strategy
 * @param syncEvery steps of a batch between two exchanges
 * @param compress between sites
 * @param value above 0; 1 for a sample that teaches as much
 * @param spread how far it may be off to both sides; null where it was measured once
 * @param seeds runs in pairs that it rests on; 0 for a guess
 * @param date of the measurement or the guess, as in 2026-11-21
 * @param origin measured or guessed
 * @param why what was measured, or what the guess goes by
 * @param stream how changes travel while workers continue. Null, as where nothing is given, is NONE
 * @param family of models that it was measured with, as in a job file; null for any
 * @param outer the step that workers take together. Null, as where nothing is given, is the usual
 *     one of the kind
 */
public record Efficiency(
        Kind kind,
        int syncEvery,
        Compress compress,
        double value,
        @Nullable Double spread,
        int seeds,
        String date,
        Origin origin,
        String why,
        StreamSpec stream,
        @Nullable String family,
        OuterStep outer) {
    private static final int ENOUGH_SEEDS = 3;
    private static final double MOST = 4;

    /** Where the figure comes from. */
    public enum Origin {
        MEASURED,
        GUESSED
    }

    /** The step that workers take together at the end of a round. */
    public record OuterStep(double rate, double momentum) {
        /** That of a round. */
        static OuterStep of(RoundSpec round) {
            return new OuterStep(round.outerRate(), round.outerMomentum());
        }
    }

    public Efficiency {
        outer = Objects.requireNonNullElseGet(outer, () -> usual(kind));
        stream = Objects.requireNonNullElse(stream, StreamSpec.NONE);
        check(kind != Kind.AUTO, "efficiency of auto: it is that of what auto chooses");
        check(
                value > 0 && value <= MOST,
                "efficiency of %s, %d, %s: %s is not from above 0 to %s",
                kind,
                syncEvery,
                compress,
                value,
                MOST);
        check(syncEvery >= 1, "efficiency of %s: sync_every=%d: at least 1", kind, syncEvery);
        check(
                spread == null || spread >= 0,
                "efficiency of %s, %d, %s: spread %s: not below 0",
                kind,
                syncEvery,
                compress,
                spread);
        check(
                origin == Origin.MEASURED ? seeds >= 1 : seeds == 0,
                "efficiency of %s, %d, %s: %s with %d seeds: measured needs one at least, a guess"
                        + " has none",
                kind,
                syncEvery,
                compress,
                origin,
                seeds);
        check(
                spread != null || seeds == 1,
                "efficiency of %s, %d, %s: no spread, which only one seed excuses",
                kind,
                syncEvery,
                compress);
        check(date.matches("\\d{4}-\\d{2}-\\d{2}"), "efficiency of %s: date %s", kind, date);
        check(!why.isBlank(), "efficiency of %s, %d, %s: no reason", kind, syncEvery, compress);
    }

    /**
     * What a decision may rest on: below the figure by its spread, be it measured or guessed; never
     * above 1 where fewer than three seeds speak for it, since a single run can be lucky.
     */
    public double counted() {
        if (spread == null) {
            return Math.min(1, value);
        }
        double low = Math.max(value / 2, value - spread);
        return seeds < ENOUGH_SEEDS ? Math.min(1, low) : low;
    }

    /** The same figure where nothing was measured: for models of another family. */
    Efficiency asGuess(String reason) {
        double half = value / 2;
        return new Efficiency(
                kind,
                syncEvery,
                compress,
                value,
                spread == null ? half : spread,
                0,
                date,
                Origin.GUESSED,
                reason,
                stream,
                null,
                outer);
    }

    private static OuterStep usual(Kind kind) {
        return OuterStep.of(RoundSpec.defaults(kind));
    }

    /** Whether it is a guess. */
    public boolean isGuess() {
        return origin == Origin.GUESSED;
    }

    /** For a table: "1.00", "0.95 guess", "1.00 (1.12 once)". */
    public String words() {
        String counts = String.format(Locale.ROOT, "%.2f", counted());
        if (isGuess()) {
            return counts + " guess";
        }
        return spread == null && value != counted()
                ? String.format(Locale.ROOT, "%s (%.2f once)", counts, value)
                : counts;
    }
}

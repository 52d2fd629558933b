package dev.medley.loop.decide;

import dev.medley.loop.spec.PromotionSpec;

/** Decides whether a new model takes the place of the one in production. */
public final class PromotionPolicy {
    /** What becomes of the new model. */
    public enum Verdict {
        /** It answers from now on. */
        PROMOTE,
        /** It stays in the registry, and the other goes on. */
        KEEP,
        /** A person decides. */
        ASK
    }

    /**
     * A decision.
     *
     * @param why a sentence with the figures
     */
    public record Decision(Verdict verdict, String why) {}

    private static final int LEAST_ROWS = 30;
    private static final double PERCENT = 100;

    private PromotionPolicy() {}

    /** What to do with the first model. */
    public static Decision first(PromotionSpec spec) {
        return taken(spec, "there is no model in production");
    }

    /** What to do where nothing is learnt that models could be judged by, as of segments. */
    public static Decision withoutLabel(PromotionSpec spec) {
        return taken(spec, "there is no label to judge by, and it is of the newest rows");
    }

    /** What to do where there are no rows that both can be judged on. */
    public static Decision withoutRows() {
        return new Decision(
                Verdict.KEEP,
                "there is nothing that both can be judged by: no labelled rows that neither has"
                        + " learnt from, or other classes");
    }

    /** What to do where the model in production cannot answer rows as they are now. */
    public static Decision insteadOf(PromotionSpec spec, String why) {
        return taken(spec, "the model in production cannot answer rows as they are now: " + why);
    }

    private static Decision taken(PromotionSpec spec, String why) {
        return new Decision(spec.isByHand() ? Verdict.ASK : Verdict.PROMOTE, why);
    }

    /**
     * What to do. The new one takes the place if it is surely not worse than the margin allows: the
     * lower end of its gain's interval is above minus the margin.
     */
    public static Decision decide(PromotionSpec spec, ModelComparison comparison) {
        String figures =
                ("%s %.4f against %.4f on the newest %,d rows: gain %+.4f, %.0f %% sure "
                                + "between %+.4f and %+.4f")
                        .formatted(
                                spec.metric(),
                                comparison.challenger(),
                                comparison.champion(),
                                comparison.rows(),
                                comparison.gain(),
                                PERCENT * comparison.confidence(),
                                comparison.low(),
                                comparison.high());
        if (comparison.rows() < LEAST_ROWS) {
            return new Decision(
                    Verdict.KEEP,
                    figures + "; fewer than %d rows say nothing".formatted(LEAST_ROWS));
        }
        if (Double.isNaN(comparison.low())) {
            return new Decision(
                    Verdict.KEEP, figures + "; the metric cannot be told of these rows");
        }
        if (comparison.low() < -spec.margin()) {
            return new Decision(
                    Verdict.KEEP,
                    figures + "; it may be worse by more than %s".formatted(spec.margin()));
        }
        return taken(spec, figures);
    }
}

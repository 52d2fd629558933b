package dev.medley.loop.spec;

import org.jspecify.annotations.Nullable;

/**
 * Says when a new model takes the place of the one in production.
 *
 * @param metric what is compared, as evaluations call it
 * @param newest the part of labelled rows, the newest, that both are judged on
 * @param confidence how sure it has to be that the new model is not worse, below 1
 * @param margin by how much it may be worse all the same
 * @param isByHand whether a person does it
 * @param isRefit whether what is promoted is trained once more, on the rows that judged it too
 * @param trial how servers try it before; null for not at all
 */
public record PromotionSpec(
        String metric,
        double newest,
        double confidence,
        double margin,
        boolean isByHand,
        boolean isRefit,
        @Nullable TrialSpec trial) {}

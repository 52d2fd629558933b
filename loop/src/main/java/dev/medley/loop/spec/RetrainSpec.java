package dev.medley.loop.spec;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Says when a new model is trained. There is always a first one.
 *
 * @param every after this time; null for never
 * @param rows after so many new labelled rows; null for never
 * @param onDrift where the data have changed
 * @param loss where the metric is worse by this part than when the model was trained; null for
 *     never
 * @param isWarm whether it begins with the weights of the model in production
 */
public record RetrainSpec(
        @Nullable Duration every,
        @Nullable Long rows,
        boolean onDrift,
        @Nullable Double loss,
        boolean isWarm) {}

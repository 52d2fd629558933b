package dev.medley.inference.metric;

import dev.medley.base.custom.UserClass;
import dev.medley.base.job.TrainSpec.MetricSpec;
import java.util.Objects;

/** Loads a user's own metric by class name. */
final class UserMetric {
    private UserMetric() {}

    static Metric load(MetricSpec spec) {
        return UserClass.create(
                Objects.requireNonNull(spec.custom()), Metric.class, "train.metrics");
    }
}

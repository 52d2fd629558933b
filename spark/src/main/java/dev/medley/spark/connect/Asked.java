package dev.medley.spark.connect;

import dev.medley.api.TrainedModel;
import dev.medley.spark.ml.FrameTraining;
import dev.medley.spark.rows.FrameColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.sql.Dataset;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what was asked of one of Spark's estimators, and has Medley train it. */
final class Asked {
    private static final Logger LOG = LoggerFactory.getLogger(Asked.class);

    private final Params params;

    Asked(Params params) {
        this.params = params;
    }

    /** The value of a parameter. */
    <T> T value(String name, Class<T> type) {
        return type.cast(params.getOrDefault(params.getParam(name)));
    }

    double number(String name) {
        return value(name, Number.class).doubleValue();
    }

    int whole(String name) {
        return value(name, Number.class).intValue();
    }

    long seed() {
        return value("seed", Number.class).longValue();
    }

    String text(String name) {
        return value(name, String.class);
    }

    /** A column; null where none was named. */
    @Nullable String column(String name) {
        if (!params.hasParam(name) || !params.isDefined(params.getParam(name))) {
            return null;
        }
        String column = text(name);
        return column.isEmpty() ? null : column;
    }

    /**
     * Whether Spark itself has to train, which is said in the log of the server.
     *
     * @param reasons each null, or what Medley does not do
     */
    static boolean isForSpark(Params params, @Nullable String... reasons) {
        List<String> given = new ArrayList<>();
        for (String reason : reasons) {
            if (reason != null) {
                given.add(reason);
            }
        }
        if (!given.isEmpty()) {
            LOG.warn(
                    "{} is trained by Spark itself, and not by Medley: {}",
                    params.uid(),
                    String.join(", ", given));
        }
        return !given.isEmpty();
    }

    /** A parameter that is set to what Medley does not do; null if it is not. */
    @Nullable String set(String name, Predicate<Object> isKnown) {
        if (!params.hasParam(name)) {
            return null;
        }
        Param<Object> param = params.getParam(name);
        if (!params.isDefined(param) || isKnown.test(params.getOrDefault(param))) {
            return null;
        }
        return name + " is set";
    }

    /** What Spark's trees of two classes cannot be; null where the labels are 0 and 1. */
    static @Nullable String unlessTwoClasses(TrainedModel model) {
        List<String> labels = model.description().signature().target().labels();
        return labels.equals(List.of("0", "1"))
                ? null
                : "the labels are %s, and not 0 and 1".formatted(String.join(", ", labels));
    }

    /** Trains a job on the estimator's columns. The caller closes the model. */
    TrainedModel model(Dataset<?> rows, String job, String task) {
        String label = task.equals("none") ? null : column("labelCol");
        FrameColumns.Wanted wanted =
                new FrameColumns.Wanted(
                        List.of(text("featuresCol")),
                        label,
                        column("weightCol"),
                        column("validationIndicatorCol"));
        return FrameTraining.model(rows, wanted, job, task);
    }
}

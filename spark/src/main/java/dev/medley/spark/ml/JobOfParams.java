package dev.medley.spark.ml;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.Settings;
import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.text.Words;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the job that an estimator's parameters ask for, as a job file would say it. */
final class JobOfParams {
    private static final String DATA = "DataFrame";
    private static final List<String> MISSING = TableSpec.defaults().missing();

    /** Families whose iterations are not epochs, and the key that says how many. */
    private static final Map<String, String> ROUNDS =
            Map.of("boosting", "rounds", "forest", "trees");

    private JobOfParams() {}

    /**
     * The job.
     *
     * @param params of the estimator
     * @param label column; null for none
     * @param task {@code classification}, {@code regression}, or null for what the job says
     * @throws ConfigException if the job cannot be read, or is about other data
     */
    static JobSpec of(MedleyParams<?> params, @Nullable String label, @Nullable String task) {
        String text = params.getOrDefault(params.job());
        boolean isBrief = text.isBlank();
        List<String> settings = new ArrayList<>();
        settings.add("data.train=" + DATA);
        if (label != null) {
            settings.add("data.label=" + quoted(label));
        }
        if (task != null) {
            settings.add("data.task=" + task);
        }
        String weight = params.getOrDefault(params.weightCol());
        if (!weight.isEmpty()) {
            settings.add("data.weight=" + quoted(weight));
        }
        double fraction = (double) params.getOrDefault(params.validationFraction());
        if (isBrief || fraction > 0) {
            check(
                    fraction >= 0 && fraction < 1,
                    "validationFraction=%s: from 0 to below 1",
                    fraction);
            settings.add("data.split={kind: random, validation: %s}".formatted(fraction));
        }
        int iterations = (int) params.getOrDefault(params.maxIter());
        check(iterations >= 0, "maxIter=%d: 0 for the family's default, or above", iterations);
        String family = params.getOrDefault(params.model());
        String rounds = ROUNDS.get(family);
        if (iterations > 0 && (rounds == null || !isBrief)) {
            settings.add("train.epochs=" + iterations);
        }
        check(
                isBrief || !params.isSet(params.model()),
                "model=%s and job: both say what learns; leave model out",
                family);
        if (isBrief || params.isSet(params.seed())) {
            settings.add("seed=" + (long) params.getOrDefault(params.seed()));
        }
        settings.addAll(List.of(params.getOrDefault(params.settings())));
        String job =
                isBrief
                        ? "name: %s\nmodel: %s\n"
                                .formatted(
                                        params.getClass().getSimpleName().toLowerCase(Locale.ROOT),
                                        iterations > 0 && rounds != null
                                                ? "{family: %s, %s: %d}"
                                                        .formatted(family, rounds, iterations)
                                                : family)
                        : text;
        JobSpec spec =
                JobFile.parse(
                                params.getClass().getSimpleName(),
                                job,
                                Path.of(""),
                                Settings.of(settings))
                        .spec();
        require(spec, task);
        return spec;
    }

    /** What a DataFrame is not, or does not do, is said and not passed over. */
    private static void require(JobSpec spec, @Nullable String task) {
        check(
                task == null || spec.data().series() == null,
                "data.series: MedleyEstimator learns from rows over time");
        check(
                spec.data().format() == DataFormat.AUTO || spec.data().format().isTable(),
                "data.format=%s: the columns of a DataFrame say what it is; leave it out",
                spec.data().format());
        check(
                task == null || spec.data().text().column() == null,
                "data.text.column=%s: MedleyEstimator learns from texts that are cut into tokens",
                spec.data().text().column());
        check(
                spec.data().text().column() == null || spec.data().weight() == null,
                "data.weight=%s: texts that are cut into tokens count one each; leave it out",
                spec.data().weight());
        check(
                spec.data().validation().isEmpty(),
                "data.validation: rows to judge by are marked in the DataFrame"
                        + " (validationIndicatorCol) or drawn (validationFraction); leave it out");
        check(
                spec.data().split().kind() == SplitKind.RANDOM
                        || spec.data().series() != null
                        || JobInputs.isLanguage(spec),
                "data.split.kind=%s: rows of a DataFrame are drawn at random; mark those to judge"
                        + " by in validationIndicatorCol",
                Words.of(spec.data().split().kind()));
        check(
                spec.data().table().missing().equals(MISSING),
                "data.table.missing: null and NaN are what is missing in a DataFrame; replace"
                        + " others first (na.replace)");
        check(
                spec.data().placement() == Placement.EVERYWHERE,
                "data.placement=%s: executors read the rows that they keep first by themselves;"
                        + " leave it out",
                Words.of(spec.data().placement()));
        check(
                spec.cluster().join() == null,
                "cluster.listen: the application's executors are the machines; leave it out");
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}

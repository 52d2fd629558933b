package dev.medley.api.run;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.Settings;
import dev.medley.api.schema.JobReference;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.text.DidYouMean;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Description;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes a job from data that a user names in the place of a job file. */
public final class DataJob {
    private static final Pattern DATA_NAMES =
            Pattern.compile(
                    ".*\\.(csv|tsv|data|parquet|pq|jsonl|ndjson|libsvm|svm|svmlight|txt|md)"
                            + "(\\.(gz|zst))?"
                            + "|.*idx[13][-.]ubyte(\\.gz)?");

    private DataJob() {}

    /**
     * Whether a path is of data by its name: not of a job file. A folder is one of data, unless
     * there are job files in it.
     */
    public static boolean isData(String name) {
        if (StoreUrl.isUrl(name)) {
            return true;
        }
        Path path = Path.of(name);
        if (Files.isDirectory(path)) {
            return !holdsJobs(path);
        }
        return DATA_NAMES.matcher(path.toString().toLowerCase(Locale.ROOT)).matches();
    }

    private static boolean holdsJobs(Path folder) {
        try (DirectoryStream<Path> jobs = Files.newDirectoryStream(folder, "*.{yaml,yml}")) {
            return jobs.iterator().hasNext();
        } catch (IOException e) {
            throw new ConfigException(folder + ": cannot be read: " + e, e);
        }
    }

    /**
     * The job that learns from the data with defaults.
     *
     * @param named a file, or a folder of images or of text; also {@code s3://BUCKET/KEY}
     * @param label the column to predict, as a table needs it; null for images and text
     * @param model a family or a class; null for the family that suits the data
     * @param settings that come before the defaults
     * @param progress of what is fetched from an object store
     * @throws ConfigException if one of them cannot be
     */
    public static JobFile of(
            String named,
            @Nullable String label,
            @Nullable String model,
            Settings settings,
            PreparationProgress progress) {
        Path data = Datasets.here(named, RunOptions.defaultCache().resolve("data"), progress);
        check(Files.exists(data), "%s: there is no such file or folder", data);
        if (model != null) {
            requireModel(model);
        }
        DataFormat format = Datasets.formatOf(data);
        boolean isTable = format.isTable() || (format == DataFormat.TEXT && label != null);
        check(
                isTable || label == null,
                "--label %s: %s holds images, which have their labels with them; leave it out",
                label,
                data);
        if (format.isTable() && format != DataFormat.LIBSVM && label == null) {
            throw new ConfigException(
                    "%s is a table: name the column to predict by --label%s"
                            .formatted(data, columns(data)));
        }
        Map<String, Object> section = new LinkedHashMap<>();
        section.put(
                "train",
                StoreUrl.isUrl(named) ? named : data.toAbsolutePath().normalize().toString());
        if (label != null) {
            section.put("label", label);
        }
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("data", section);
        job.put("model", model != null ? model : isTable ? "mlp" : family(format));
        return JobFile.parse(named, Json.line(job), Path.of(""), settings);
    }

    /** The columns to choose from; of a folder the names come with the error of its first file. */
    private static String columns(Path data) {
        if (!Files.isRegularFile(data)) {
            return "";
        }
        List<String> names =
                Datasets.describe(data).columns().stream().map(Description.Column::name).toList();
        return "; its columns are: " + String.join(", ", names);
    }

    private static void requireModel(String model) {
        List<String> families = JobReference.models();
        check(
                families.contains(model) || model.contains("."),
                "--model %s: there is no such family%s; there are %s, or the full name of a class"
                        + " of yours",
                model,
                DidYouMean.of(model, families)
                        .map(near -> ", did you mean " + near + "?")
                        .orElse(""),
                String.join(", ", families));
    }

    private static String family(DataFormat format) {
        return format == DataFormat.TEXT ? "transformer" : "cnn";
    }
}

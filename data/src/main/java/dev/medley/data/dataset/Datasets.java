package dev.medley.data.dataset;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.data.encoding.CustomEncoding;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.stored.StoredFiles;
import dev.medley.data.token.Tokens;
import java.nio.file.Path;

/** Prepares a data set once, and finds it prepared the next time. */
public final class Datasets {
    private Datasets() {}

    /**
     * Scans and checks the files, fits the encoding on the training split, and decodes all samples
     * into the cache. When data and options have not changed since the last time, it only looks.
     *
     * @param spec what to learn from
     * @param seed of the run: random splits are drawn from it
     * @param cacheFolder where prepared sets are kept; made if it is not there
     * @param progress told how far it is, on this thread
     * @throws ConfigException if the data cannot be used
     */
    public static PreparedData prepare(
            DataSpec spec, long seed, Path cacheFolder, PreparationProgress progress) {
        if (spec.format() == DataFormat.CUSTOM) {
            return CustomData.prepare(spec, seed);
        }
        return preparation(spec, seed, cacheFolder, progress).fitted(cacheFolder);
    }

    /**
     * As {@link #prepare} for texts of a table, which are cut into given tokens: those of a
     * pretrained model.
     *
     * @throws ConfigException if the data cannot be used
     */
    public static PreparedData prepareWith(
            Tokens tokens,
            DataSpec spec,
            long seed,
            Path cacheFolder,
            PreparationProgress progress) {
        return preparation(spec, seed, cacheFolder, progress).fittedWith(tokens, cacheFolder);
    }

    /**
     * As {@link #prepare}, with the same samples in each split, but with the encoding of a trained
     * model instead of a fitted one: for a model that goes on learning. A category that the model
     * does not know is encoded as it is for a prediction.
     *
     * @param encoding of the trained model
     * @throws ConfigException if the data cannot be used with that encoding, or the options of
     *     {@code spec} ask for another one
     */
    public static PreparedData prepareAs(
            Encoding encoding,
            DataSpec spec,
            long seed,
            Path cacheFolder,
            PreparationProgress progress) {
        ConfigException.check(
                (spec.format() == DataFormat.CUSTOM) == (encoding instanceof CustomEncoding),
                "data.format=%s: the initial model was trained on another kind of data: %s",
                spec.format(),
                encoding.reads());
        if (encoding instanceof CustomEncoding custom) {
            return CustomData.prepareAs(custom, spec, seed);
        }
        return preparation(spec, seed, cacheFolder, progress).fittedAs(encoding, cacheFolder);
    }

    /**
     * Decodes new data exactly as a trained model expects it, for evaluation and prediction. All
     * samples are validation samples, in file order; there are none to train on. The label may be
     * missing: see {@link dev.medley.data.shard.Ingested.Findings#targets}.
     *
     * @param encoding of the trained model
     * @param spec the new files, in {@link DataSpec#train}
     * @throws ConfigException if the data cannot be used with that encoding
     */
    public static PreparedData encode(
            Encoding encoding, DataSpec spec, Path cacheFolder, PreparationProgress progress) {
        if (encoding instanceof CustomEncoding custom) {
            return CustomData.encode(custom, spec);
        }
        return preparationOfAll(spec, cacheFolder, progress).encoded(encoding, cacheFolder);
    }

    /**
     * The same for prediction alone: the labels of tables and of IDX images are not read, nor are
     * weights, whatever stands there.
     */
    public static PreparedData encodeInputs(
            Encoding encoding, DataSpec spec, Path cacheFolder, PreparationProgress progress) {
        if (encoding instanceof CustomEncoding custom) {
            return CustomData.encode(custom, spec);
        }
        return preparationOfAll(spec, cacheFolder, progress).encodedInputs(encoding, cacheFolder);
    }

    private static Preparation preparation(
            DataSpec spec, long seed, Path cacheFolder, PreparationProgress progress) {
        DataSpec here = stored(cacheFolder, progress).here(spec);
        return new Preparation(Inputs.find(here), here, seed, progress);
    }

    private static Preparation preparationOfAll(
            DataSpec spec, Path cacheFolder, PreparationProgress progress) {
        DataSpec here = stored(cacheFolder, progress).here(spec);
        return new Preparation(Inputs.findAll(here), here, 0, progress);
    }

    private static StoredFiles stored(Path cacheFolder, PreparationProgress progress) {
        return new StoredFiles(cacheFolder, progress, System::getenv);
    }

    /**
     * The path of what a user calls data: itself, or that of its copy where it lies in an object
     * store ({@code s3://BUCKET/KEY}), which is fetched first.
     *
     * @throws ConfigException if it cannot be fetched
     */
    public static Path here(String data, Path cacheFolder, PreparationProgress progress) {
        return Path.of(stored(cacheFolder, progress).here(data));
    }

    /** What lies in a file or folder, by names or first bytes; text if neither tells. */
    public static DataFormat formatOf(Path file) {
        return Inputs.detect(file.toString());
    }

    /**
     * Looks at a file or folder: columns, types, ranges, missing values, categories, suggestions.
     *
     * @throws ConfigException if it cannot be read
     */
    public static Description describe(Path file) {
        return Describer.describe(file);
    }
}

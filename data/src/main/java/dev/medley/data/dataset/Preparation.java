package dev.medley.data.dataset;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.image.IdxIngest;
import dev.medley.data.image.IdxPair;
import dev.medley.data.image.ImageFolderIngest;
import dev.medley.data.shard.DiskBudget;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.shard.Workplace;
import dev.medley.data.table.TableIngest;
import dev.medley.data.table.labelled.LabelledTextIngest;
import dev.medley.data.table.series.SequenceIngest;
import dev.medley.data.table.series.SeriesIngest;
import dev.medley.data.text.TextIngest;
import dev.medley.data.token.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Prepares one data set, and keeps it in the cache. */
final class Preparation {
    private final Inputs inputs;
    private final DataSpec spec;
    private final long seed;
    private final PreparationProgress progress;

    Preparation(Inputs inputs, DataSpec spec, long seed, PreparationProgress progress) {
        this.inputs = inputs;
        this.spec = spec;
        this.seed = seed;
        this.progress = progress;
    }

    /** Fits the encoding on the training split. */
    PreparedData fitted(Path cacheFolder) {
        requireTable();
        return cached(cacheFolder, "", this::fit);
    }

    /** Splits as {@link #fitted} does, with an encoding that was fitted before. */
    PreparedData fittedAs(Encoding encoding, Path cacheFolder) {
        Class<? extends Encoding> kind =
                switch (inputs.format()) {
                    case TEXT -> TextEncoding.class;
                    case IDX, IMAGES -> ImageEncoding.class;
                    default -> ofTables(encoding);
                };
        fitting(encoding, kind);
        Agreement.require(spec, encoding);
        requireTable();
        return cached(cacheFolder, "as " + Json.line(encoding), place -> ingestAs(encoding, place));
    }

    private Class<? extends Encoding> ofTables(Encoding given) {
        if (spec.text().column() != null || given instanceof LabelledTextEncoding) {
            return LabelledTextEncoding.class;
        }
        if (spec.series() == null) {
            return TableEncoding.class;
        }
        return spec.label() == null ? SeriesEncoding.class : SequenceEncoding.class;
    }

    /** As {@link #fitted}, of texts of a table in given tokens. */
    PreparedData fittedWith(Tokens tokens, Path cacheFolder) {
        requireTable();
        return cached(
                cacheFolder,
                "in " + Json.line(tokens),
                place -> texts(place).ingest(tokens, inputs.train(), inputs.validation()));
    }

    private void requireTable() {
        ConfigException.check(
                spec.text().column() == null || isTable(),
                "data.text.column=%s: %s holds %s data, and only tables have columns",
                spec.text().column(),
                inputs.train().get(0),
                inputs.format());
        ConfigException.check(
                spec.series() == null || isTable(),
                "data.series: %s holds %s data, and only tables have rows over time",
                inputs.train().get(0),
                inputs.format());
        ConfigException.check(
                spec.weight() == null || isTable(),
                "data.weight=%s: %s holds %s data, and only rows of tables have weights",
                spec.weight(),
                inputs.train().get(0),
                inputs.format());
        ConfigException.check(
                spec.group() == null || isTable(),
                "data.group=%s: %s holds %s data, and only rows of tables are ranked",
                spec.group(),
                inputs.train().get(0),
                inputs.format());
    }

    private boolean isTable() {
        return switch (inputs.format()) {
            case TEXT, IDX, IMAGES -> false;
            default -> true;
        };
    }

    /** All samples for validation, with an encoding that was fitted before. */
    PreparedData encoded(Encoding encoding, Path cacheFolder) {
        return cached(cacheFolder, Json.line(encoding), place -> encode(encoding, place));
    }

    /** The same of what a prediction needs. */
    PreparedData encodedInputs(Encoding encoding, Path cacheFolder) {
        return isTable() || inputs.format() == DataFormat.IDX
                ? cached(
                        cacheFolder,
                        Json.line(encoding) + " inputs",
                        place -> encodeInputs(encoding, place))
                : encoded(encoding, cacheFolder);
    }

    private Ingested encodeInputs(Encoding encoding, Workplace place) throws IOException {
        return inputs.format() == DataFormat.IDX
                ? new IdxIngest(spec, place)
                        .encodeInputs(
                                fitting(encoding, ImageEncoding.class),
                                IdxPair.find(spec.train(), spec.validation()).train())
                : encoding instanceof SeriesEncoding series
                        ? series(place).encodeInputs(series, inputs.all())
                        : encoding instanceof SequenceEncoding sequence
                                ? sequences(place).encodeInputs(sequence, inputs.all())
                                : encoding instanceof LabelledTextEncoding texts
                                        ? texts(place).encodeInputs(texts, inputs.all())
                                        : new TableIngest(spec, inputs.format(), place)
                                                .encodeInputs(
                                                        fitting(encoding, TableEncoding.class),
                                                        inputs.all());
    }

    @FunctionalInterface
    private interface Ingest {
        Ingested into(Workplace place) throws IOException;
    }

    private PreparedData cached(Path cacheFolder, String variant, Ingest ingest) {
        PreparedFolder cache = new PreparedFolder(cacheFolder);
        try {
            String stamp = Fingerprint.of(Fingerprint.ofTimes(inputs, spec, seed) + variant);
            Optional<String> known = cache.keyOf(stamp);
            Optional<PreparedData> found =
                    known.isEmpty() ? Optional.empty() : cache.find(known.get(), spec);
            if (found.isPresent()) {
                return found.get().noting(inputs.notes());
            }
            String hash = Fingerprint.ofContents(inputs.all(), progress);
            String key = Fingerprint.of(Fingerprint.ofSet(inputs, hash, spec, seed) + variant);
            found = cache.find(key, spec);
            PreparedData data = found.isPresent() ? found.get() : make(cache, key, hash, ingest);
            cache.stamp(stamp, key);
            return data.noting(inputs.notes());
        } catch (IOException e) {
            throw new ConfigException(
                    "the data cache %s cannot be used: %s; free some room or name another folder"
                            .formatted(cacheFolder, e),
                    e);
        }
    }

    private PreparedData make(PreparedFolder cache, String key, String hash, Ingest ingest)
            throws IOException {
        return cache.make(
                key,
                spec,
                folder -> {
                    DiskBudget budget = new DiskBudget(spec.cache().diskBytes());
                    Workplace place = new Workplace(folder, seed, budget, progress);
                    return new PreparedData(
                            PreparedData.VERSION,
                            folder.toString(),
                            spec,
                            inputs.format(),
                            seed,
                            hash,
                            ingest.into(place));
                });
    }

    private Ingested fit(Workplace place) throws IOException {
        List<Path> train = inputs.train();
        List<Path> validation = inputs.validation();
        return switch (inputs.format()) {
            case TEXT -> new TextIngest(spec, place).ingest(train, validation);
            case IDX ->
                    new IdxIngest(spec, place)
                            .ingest(IdxPair.find(spec.train(), spec.validation()));
            case IMAGES -> new ImageFolderIngest(spec, place).ingest(train, validation);
            default -> fitTable(place, train, validation);
        };
    }

    private Ingested fitTable(Workplace place, List<Path> train, List<Path> validation)
            throws IOException {
        if (spec.text().column() != null) {
            return texts(place).ingest(null, train, validation);
        }
        if (spec.series() == null) {
            return new TableIngest(spec, inputs.format(), place).ingest(train, validation);
        }
        return spec.label() == null
                ? series(place).ingest(train)
                : sequences(place).ingest(train, validation);
    }

    private Ingested ingestAs(Encoding encoding, Workplace place) throws IOException {
        List<Path> train = inputs.train();
        List<Path> validation = inputs.validation();
        return switch (inputs.format()) {
            case TEXT ->
                    new TextIngest(spec, place)
                            .ingestAs(fitting(encoding, TextEncoding.class), train, validation);
            case IDX ->
                    new IdxIngest(spec, place)
                            .ingestAs(
                                    fitting(encoding, ImageEncoding.class),
                                    IdxPair.find(spec.train(), spec.validation()));
            case IMAGES ->
                    new ImageFolderIngest(spec, place)
                            .ingestAs(fitting(encoding, ImageEncoding.class), train, validation);
            default ->
                    encoding instanceof SeriesEncoding series
                            ? series(place).ingestAs(series, train)
                            : encoding instanceof SequenceEncoding sequence
                                    ? sequences(place).ingestAs(sequence, train, validation)
                                    : encoding instanceof LabelledTextEncoding texts
                                            ? texts(place).ingestAs(texts, train, validation)
                                            : new TableIngest(spec, inputs.format(), place)
                                                    .ingestAs(
                                                            fitting(encoding, TableEncoding.class),
                                                            train,
                                                            validation);
        };
    }

    private Ingested encode(Encoding encoding, Workplace place) throws IOException {
        List<Path> files = inputs.all();
        return switch (inputs.format()) {
            case TEXT ->
                    new TextIngest(spec, place)
                            .encode(fitting(encoding, TextEncoding.class), files);
            case IDX ->
                    new IdxIngest(spec, place)
                            .encode(
                                    fitting(encoding, ImageEncoding.class),
                                    IdxPair.find(spec.train(), spec.validation()).train());
            case IMAGES ->
                    new ImageFolderIngest(spec, place)
                            .encode(fitting(encoding, ImageEncoding.class), files);
            default ->
                    encoding instanceof SeriesEncoding series
                            ? series(place).encode(series, files)
                            : encoding instanceof SequenceEncoding sequence
                                    ? sequences(place).encode(sequence, files)
                                    : encoding instanceof LabelledTextEncoding texts
                                            ? texts(place).encode(texts, files)
                                            : new TableIngest(spec, inputs.format(), place)
                                                    .encode(
                                                            fitting(encoding, TableEncoding.class),
                                                            files);
        };
    }

    private LabelledTextIngest texts(Workplace place) {
        return new LabelledTextIngest(spec, inputs.format(), place);
    }

    private SeriesIngest series(Workplace place) {
        return new SeriesIngest(spec, inputs.format(), place);
    }

    private SequenceIngest sequences(Workplace place) {
        return new SequenceIngest(spec, inputs.format(), place);
    }

    private <T extends Encoding> T fitting(Encoding encoding, Class<T> type) {
        ConfigException.check(
                type.isInstance(encoding),
                "%s: holds %s data, but the model was trained on %s",
                inputs.train().get(0),
                inputs.format(),
                encoding.reads());
        return type.cast(encoding);
    }
}

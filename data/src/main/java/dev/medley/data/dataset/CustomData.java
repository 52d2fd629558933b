package dev.medley.data.dataset;

import dev.medley.base.ConfigException;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.Signature;
import dev.medley.data.encoding.CustomEncoding;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.ShardFile;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prepares the data of a user's own class. Nothing is decoded ahead: workers read from the source
 * itself.
 */
public final class CustomData {
    private CustomData() {}

    /** Asks the source for its signature and size, and splits by index. */
    static PreparedData prepare(DataSpec spec, long seed) {
        ClassSpec type = source(spec);
        ConfigException.check(
                spec.split().kind() != SplitKind.STRATIFIED,
                "data.split.kind=stratified: %s has no columns; use random or tail",
                type.className());
        try (SampleSource source = make(type)) {
            long size = source.size();
            ConfigException.check(
                    size > 0, "data.class=%s: has no samples (size %d)", type.className(), size);
            double fraction = spec.split().validationFraction();
            long validation = fraction == 0 ? 0 : Math.max(1, Math.round(size * fraction));
            ConfigException.check(
                    validation < size,
                    "data.class=%s: %d samples leave none to train on after validation=%s",
                    type.className(),
                    size,
                    fraction);
            return data(
                    new CustomEncoding(type, unweighted(source.signature())),
                    spec,
                    seed,
                    size - validation,
                    validation);
        }
    }

    /** The same for a source that reads samples just as that of a trained model did. */
    static PreparedData prepareAs(CustomEncoding encoding, DataSpec spec, long seed) {
        PreparedData data = prepare(spec, seed);
        ConfigException.check(
                data.signature().equals(encoding.signature()),
                "data.class=%s: gives %s, but the initial model was trained on %s",
                source(spec).className(),
                data.signature(),
                encoding.signature());
        return data;
    }

    /** All samples of the source, for validation, in order. */
    static PreparedData encode(CustomEncoding encoding, DataSpec spec) {
        ClassSpec type = spec.custom() == null ? encoding.source() : spec.custom();
        try (SampleSource source = make(type)) {
            ConfigException.check(
                    source.signature().inputs().equals(encoding.signature().inputs()),
                    "data.class=%s: gives %s, but the model was trained on %s",
                    type.className(),
                    source.signature().inputs(),
                    encoding.signature().inputs());
            return data(new CustomEncoding(type, encoding.signature()), spec, 0, 0, source.size());
        }
    }

    private static PreparedData data(
            CustomEncoding encoding, DataSpec spec, long seed, long train, long validation) {
        String sentence =
                String.format(
                        Locale.ROOT,
                        "samples of %s: %,d to train, %,d to validate",
                        encoding.source().className(),
                        train,
                        validation);
        return new PreparedData(
                PreparedData.VERSION,
                "",
                spec,
                DataFormat.CUSTOM,
                seed,
                "custom:" + encoding.source().className(),
                new Ingested(
                        encoding,
                        ShardFile.ofRecords("", 1, train),
                        ShardFile.ofRecords("", 1, validation),
                        new Ingested.Findings(0, true, List.of(), List.of(sentence))));
    }

    private static ClassSpec source(DataSpec spec) {
        ClassSpec type = spec.custom();
        if (type == null) {
            throw new IllegalStateException("format CUSTOM without a class");
        }
        return type;
    }

    /**
     * Makes the user's source.
     *
     * @throws ConfigException if the class is absent, is no source, has no fitting constructor, or
     *     its constructor fails
     */
    public static SampleSource make(ClassSpec spec) {
        Class<?> type;
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            type =
                    Class.forName(
                            spec.className(),
                            true,
                            loader == null ? CustomData.class.getClassLoader() : loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new ConfigException(
                    "data.class=%s: not found on the class path; add its jar (%s)"
                            .formatted(spec.className(), e),
                    e);
        }
        ConfigException.check(
                SampleSource.class.isAssignableFrom(type),
                "data.class=%s: does not implement %s",
                spec.className(),
                SampleSource.class.getName());
        return construct(type, spec);
    }

    private static SampleSource construct(Class<?> type, ClassSpec spec) {
        try {
            for (Constructor<?> constructor : type.getConstructors()) {
                Class<?>[] parameters = constructor.getParameterTypes();
                if (parameters.length == 1 && parameters[0] == Map.class) {
                    return (SampleSource) constructor.newInstance(spec.options());
                }
            }
            ConfigException.check(
                    spec.options().isEmpty(),
                    "data.class=%s: has options %s, but no public constructor that takes a Map",
                    spec.className(),
                    spec.options());
            return (SampleSource) type.getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new ConfigException(
                    "data.class=%s: its constructor failed: %s"
                            .formatted(spec.className(), e.getCause()),
                    e);
        } catch (ReflectiveOperationException e) {
            throw new ConfigException(
                    ("data.class=%s: needs to be a public class with a public constructor without"
                                    + " parameters, or one that takes Map<String, String>")
                            .formatted(spec.className()),
                    e);
        }
    }

    /** A source gives inputs and a target, and nothing else. */
    private static Signature unweighted(Signature signature) {
        ConfigException.check(
                !signature.weighted(),
                "data.class: its signature() is weighted, which rows of tables alone can be");
        return signature;
    }
}

package dev.medley.api.job;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.SeriesSpec;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.table.TermSpec;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code data} into a {@link DataSpec}. */
final class DataSection {
    private final Section data;
    private final Path folder;
    private final DataSpec.TextUnit unit;

    /** Relative paths begin at {@code folder}; texts are of {@code unit} where nothing is said. */
    DataSection(Section data, Path folder, DataSpec.TextUnit unit) {
        this.unit = unit;
        this.data = data;
        this.folder = folder;
    }

    DataSpec read(FamilyDefaults family) {
        ClassSpec custom = data.has("class") ? data.ownClass() : null;
        DataSpec read = read(family, custom);
        return family.ofTables().hasLabel() ? read : read.withoutLabel(read.table());
    }

    private DataSpec read(FamilyDefaults family, @Nullable ClassSpec custom) {
        return new DataSpec(
                format(custom),
                resolve("data.train", data.texts("train", List.of())),
                resolve("data.validation", data.texts("validation", List.of())),
                data.textOrNull("label"),
                split(data.section("split"), family.split()),
                table(data.section("table"), family),
                image(data.section("image")),
                text(data.section("text")),
                cache(data.section("cache")),
                data.count("prefetch", 4),
                custom,
                data.constant("placement", DataSpec.Placement.class, DataSpec.Placement.EVERYWHERE),
                data.constant("task", DataSpec.Task.class, DataSpec.Task.FOUND),
                data.textOrNull("weight"),
                data.has("series") ? series(data.section("series")) : null,
                data.textOrNull("group"));
    }

    private static SeriesSpec series(Section series) {
        return new SeriesSpec(
                series.text("time", ""),
                series.texts("by", List.of()),
                series.texts(series.has("columns") ? "columns" : "targets", List.of()),
                series.texts("known", List.of()),
                series.count("look_back", 336),
                series.count("horizon", 1),
                series.constant("scaling", SeriesSpec.Scaling.class, SeriesSpec.Scaling.COLUMN),
                series.text("validation", "0.1"),
                series.text("test", "0"),
                series.textOrNull("until"));
    }

    private DataFormat format(@Nullable ClassSpec custom) {
        DataFormat absent = custom == null ? DataFormat.AUTO : DataFormat.CUSTOM;
        return data.constant("format", DataFormat.class, absent);
    }

    private List<String> resolve(String key, List<String> paths) {
        return paths.stream()
                .map(p -> StoreUrl.isUrl(p) ? stored(key, p) : resolve(folder, p))
                .toList();
    }

    private static String stored(String key, String text) {
        StoreUrl url = StoreUrl.ofData(key, text);
        return url.scheme() == StoreUrl.Scheme.FILE ? url.folder() : text;
    }

    /** An absolute path; globs keep their patterns. */
    static String resolve(Path folder, String path) {
        return folder.toAbsolutePath().resolve(path).normalize().toString();
    }

    private DataSpec.SplitSpec split(Section split, SplitKind familySplit) {
        if (data.has("validation")) {
            return DataSpec.SplitSpec.defaults();
        }
        boolean isOfTexts = data.section("text").has("column"); // Rows, and no text with a tail.
        SplitKind usual = isOfTexts ? SplitKind.RANDOM : familySplit;
        SplitKind absent = split.has("by") ? SplitKind.STRATIFIED : usual;
        return new DataSpec.SplitSpec(
                split.constant("kind", SplitKind.class, absent),
                split.number("validation", DataSpec.SplitSpec.defaults().validationFraction()),
                split.textOrNull("by"));
    }

    private static DataSpec.TableSpec table(Section table, FamilyDefaults family) {
        DataSpec.TableSpec absent = DataSpec.TableSpec.defaults();
        return new DataSpec.TableSpec(
                table.textOrNull("delimiter"),
                table.flagOrNull("header"),
                table.text("decimal", absent.decimal()),
                table.constant("dates", DataSpec.Dates.class, absent.dates()),
                table.texts("missing", absent.missing()),
                table.texts("drop", absent.drop()),
                table.texts("categorical", absent.categorical()),
                table.texts("numeric", absent.numeric()),
                table.count("one_hot_limit", family.ofTables().oneHotLimit()),
                table.constant("bad_rows", DataSpec.BadRows.class, absent.badRows()),
                table.constant(
                        "scaling", DataSpec.NumberScaling.class, family.ofTables().scaling()),
                terms(table, family.ofTables().terms()),
                table.texts("columns", absent.columns()));
    }

    private static TermSpec terms(Section table, TermSpec absent) {
        return new TermSpec(
                table.count("min_frequency", absent.minFrequency()),
                table.count("max_categories", absent.maxCategories()),
                table.texts("text", absent.text()),
                table.texts("hashed", absent.hashed()),
                table.count("vocabulary", absent.vocabulary()),
                table.count("hash_bits", absent.hashBits()),
                absent.sparse());
    }

    private static DataSpec.ImageSpec image(Section image) {
        DataSpec.ImageSpec absent = DataSpec.ImageSpec.defaults();
        return new DataSpec.ImageSpec(
                image.count("height", absent.height()),
                image.count("width", absent.width()),
                image.flag("flip", absent.flip()),
                image.count("shift", absent.shift()),
                image.flag("normalise", absent.normalise()),
                image.number("jitter", absent.jitter()),
                image.count("cutout", absent.cutout()));
    }

    private DataSpec.TextSpec text(Section text) {
        DataSpec.TextSpec absent = DataSpec.TextSpec.defaults();
        int context = text.count("context", absent.context());
        return new DataSpec.TextSpec(
                text.constant("unit", DataSpec.TextUnit.class, unit),
                context,
                text.count("stride", context),
                text.texts("include", absent.include()),
                text.count("vocabulary", absent.vocabulary()),
                text.textOrNull("column"));
    }

    private static DataSpec.CacheSpec cache(Section cache) {
        DataSpec.CacheSpec absent = DataSpec.CacheSpec.defaults();
        return new DataSpec.CacheSpec(
                cache.size("memory", absent.memoryBytes()), cache.size("disk", absent.diskBytes()));
    }
}

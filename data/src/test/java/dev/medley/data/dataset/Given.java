package dev.medley.data.dataset;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.CacheSpec;
import dev.medley.base.job.DataSpec.Dates;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.NumberScaling;
import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.base.memory.HostArray;
import dev.medley.base.table.TermSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Data specifications and shared files for tests. */
public final class Given {
    private DataFormat format = DataFormat.AUTO;
    private List<String> train = List.of();
    private List<String> validation = List.of();
    private @Nullable String label;
    private SplitSpec split = SplitSpec.defaults();
    private TableSpec table = TableSpec.defaults();
    private ImageSpec image = ImageSpec.defaults();
    private TextSpec text = TextSpec.defaults();
    private CacheSpec cache = CacheSpec.defaults();
    private @Nullable ClassSpec custom;
    private Placement placement = Placement.EVERYWHERE;
    private Task task = Task.FOUND;
    private @Nullable String weight;
    private @Nullable SeriesSpec series;
    private @Nullable String group;

    /** Data in these files. */
    public static Given files(Object... files) {
        Given given = new Given();
        given.train = java.util.Arrays.stream(files).map(Object::toString).toList();
        return given;
    }

    /** Data of a user's class. */
    public static Given custom(ClassSpec type) {
        Given given = new Given();
        given.format = DataFormat.CUSTOM;
        given.custom = type;
        return given;
    }

    public Given format(DataFormat value) {
        format = value;
        return this;
    }

    public Given validation(Object... files) {
        validation = java.util.Arrays.stream(files).map(Object::toString).toList();
        return this;
    }

    public Given label(String value) {
        label = value;
        return this;
    }

    public Given split(SplitSpec value) {
        split = value;
        return this;
    }

    public Given image(ImageSpec value) {
        image = value;
        return this;
    }

    public Given text(TextSpec value) {
        text = value;
        return this;
    }

    public Given table(TableSpec value) {
        table = value;
        return this;
    }

    public Given series(SeriesSpec value) {
        series = value;
        return this;
    }

    public Given weight(String value) {
        weight = value;
        return this;
    }

    /** Rows to be ranked. */
    public Given ranked(String column) {
        group = column;
        return task(Task.RANKING);
    }

    public Given task(Task value) {
        task = value;
        return this;
    }

    public Given badRows(BadRows value) {
        return with(table.decimal(), table.dates(), table.numeric(), value);
    }

    public Given dates(Dates value) {
        return with(table.decimal(), value, table.numeric(), table.badRows());
    }

    public Given numeric(String... columns) {
        return with(table.decimal(), table.dates(), List.of(columns), table.badRows());
    }

    private Given with(String decimal, Dates dates, List<String> numeric, BadRows badRows) {
        table =
                new TableSpec(
                        table.delimiter(),
                        table.header(),
                        decimal,
                        dates,
                        table.missing(),
                        table.drop(),
                        table.categorical(),
                        numeric,
                        table.oneHotLimit(),
                        badRows,
                        table.scaling(),
                        table.terms(),
                        table.columns());
        return this;
    }

    /** Numbers by mean and deviation: of tests whose figures are about something else. */
    public Given standard() {
        return scaling(NumberScaling.STANDARD);
    }

    public Given scaling(NumberScaling value) {
        table =
                new TableSpec(
                        table.delimiter(),
                        table.header(),
                        table.decimal(),
                        table.dates(),
                        table.missing(),
                        table.drop(),
                        table.categorical(),
                        table.numeric(),
                        table.oneHotLimit(),
                        table.badRows(),
                        value,
                        table.terms(),
                        table.columns());
        return this;
    }

    public Given terms(TermSpec value) {
        table =
                new TableSpec(
                        table.delimiter(),
                        table.header(),
                        table.decimal(),
                        table.dates(),
                        table.missing(),
                        table.drop(),
                        table.categorical(),
                        table.numeric(),
                        table.oneHotLimit(),
                        table.badRows(),
                        table.scaling(),
                        value,
                        table.columns());
        return this;
    }

    public Given decimal(String value) {
        return with(value, table.dates(), table.numeric(), table.badRows());
    }

    public Given cache(long memoryBytes, long diskBytes) {
        cache = new CacheSpec(memoryBytes, diskBytes);
        return this;
    }

    public Given placement(Placement value) {
        placement = value;
        return this;
    }

    public DataSpec spec() {
        return new DataSpec(
                format,
                train,
                validation,
                label,
                split,
                table,
                image,
                text,
                cache,
                2,
                custom,
                placement,
                task,
                weight,
                series,
                group);
    }

    /** A file of the shared data; the test is skipped where it is absent. */
    public static Path shared(String name) {
        Path root = Path.of(System.getProperty("medley.root", ".")).toAbsolutePath();
        Path folder =
                Optional.ofNullable(System.getProperty("medley.shared"))
                        .or(() -> Optional.ofNullable(System.getenv("MEDLEY_SHARED")))
                        .map(Path::of)
                        .orElse(root.resolve("../shared"));
        Path file = folder.resolve("data").resolve(name).normalize();
        assumeTrue(
                Files.exists(file),
                () -> file + " is absent: set MEDLEY_SHARED to the folder of shared data");
        return file;
    }

    /** The values of an INT64 array. */
    public static long[] longs(HostArray array) {
        long[] values = new long[(int) array.count()];
        array.data().buffer().asLongBuffer().get(values);
        return values;
    }

    /** The values of a FLOAT32 array. */
    public static float[] floats(HostArray array) {
        float[] values = new float[(int) array.count()];
        array.data().buffer().asFloatBuffer().get(values);
        return values;
    }
}

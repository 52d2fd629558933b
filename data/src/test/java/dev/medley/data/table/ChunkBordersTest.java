package dev.medley.data.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.SeriesSpec;
import dev.medley.base.table.TermSpec;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine hands rows over 2,048 at a time: a full chunk has no row too many, and no place. */
@Tag("unit")
class ChunkBordersTest {
    private final Path folder;
    private final GivenEncoding files;

    ChunkBordersTest(@TempDir Path folder) {
        this.folder = folder;
        this.files = new GivenEncoding(folder.resolve("cache"));
    }

    private Path rows(String header, int rows, IntFunction<String> row) throws IOException {
        List<String> lines = new ArrayList<>(List.of(header));
        IntStream.range(0, rows).mapToObj(row).forEach(lines::add);
        return Files.write(folder.resolve("t.csv"), lines);
    }

    @ParameterizedTest
    @ValueSource(ints = {2048, 2049})
    void rowsOfATableShouldAllCountOnce(int rows) throws IOException {
        Path file =
                rows(
                        "x,c,t,w,q,y",
                        rows,
                        i ->
                                "%d,%s,%s,%d,g%04d,%d"
                                        .formatted(
                                                i,
                                                "abc".charAt(i % 3),
                                                "aa bb",
                                                1 + i % 2,
                                                i / 7,
                                                i % 2));
        TermSpec words = new TermSpec(1, 0, List.of("t"), List.of(), 10, 5, false);
        SplitSpec all = new SplitSpec(SplitKind.RANDOM, 0, null);
        Given given = Given.files(file).label("y").weight("w").numeric("x").standard();
        PreparedData data = files.prepare(given.terms(words).split(all));
        assertThat(data.findings().classCounts())
                .containsExactly((long) (rows + 1) / 2, (long) rows / 2);
        TableEncoding encoding = (TableEncoding) data.encoding();
        assertThat(((Numeric) encoding.columns().get(0)).centre()).isEqualTo((rows - 1) / 2.0);
        assertThat(files.encode(encoding, Given.files(file)).validationSamples()).isEqualTo(rows);
        Given ranked = Given.files(file).label("y").ranked("q").split(all);
        assertThat(files.prepare(ranked).trainSamples()).isEqualTo(rows);
        Given counted = Given.files(file).label("x").task(Task.REGRESSION).split(all);
        PreparedData numbers = files.prepare(counted);
        assertThat(((TableEncoding) numbers.encoding()).label().mean()).isEqualTo((rows - 1) / 2.0);
        assertThat(files.prepareAs(numbers.encoding(), counted).trainSamples()).isEqualTo(rows);
    }

    @ParameterizedTest
    @ValueSource(ints = {2048, 2049})
    void rowsOfSeriesAndSequencesShouldAllCountOnce(int rows) throws IOException {
        Path file =
                rows("t,v,s,y", rows, i -> "%d,%d,s%04d,%d".formatted(i, i % 5, i / 8, i / 8 % 2));
        SeriesSpec spec = SeriesSpec.of("t", 3, 1);
        Given series = Given.files(file).series(spec.seeing(List.of(), List.of("v")));
        PreparedData windows = files.prepare(series);
        int train = rows - (int) (0.1 * rows);
        assertThat(windows.trainSamples()).isEqualTo(train - 3);
        assertThat(windows.validationSamples()).isEqualTo(rows - train);
        SeriesEncoding model = (SeriesEncoding) windows.encoding();
        double mean = IntStream.range(0, train).map(i -> i % 5).average().orElseThrow();
        assertThat(model.scales().get(0).targets().get(0).centre())
                .isCloseTo(mean, org.assertj.core.api.Assertions.offset(1e-12));
        assertThat(files.encodeInputs(model, series).validationSamples()).isEqualTo(1);
        Given sequences =
                Given.files(file).series(spec.seeing(List.of("s"), List.of("v"))).label("y");
        PreparedData walks =
                files.prepare(sequences.split(new SplitSpec(SplitKind.RANDOM, 0, null)));
        assertThat(walks.trainSamples()).isEqualTo((rows + 7) / 8);
        assertThat(((SequenceEncoding) walks.encoding()).columns()).containsExactly("v");
    }
}

package dev.medley.inference.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.inference.model.Coefficients;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.model.ModelFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of reference keep what each column has, and none of the rows. */
@Tag("unit")
class ReferenceSampleTest {
    private static final int ROWS = 250;

    @TempDir private Path folder;

    private static final TableEncoding ENCODING =
            new TableEncoding(
                    List.of(
                            new Numeric("n", Source.NUMBER, 0, 1, 0, true),
                            new Category("plain", List.of("a", "b", "c"), false, false),
                            new Category("deep", List.of("x", "y"), false, true),
                            new SparseColumn.Hashed("text", 4, true, 3)),
                    LabelEncoding.ofClasses("y", List.of("no", "yes")),
                    List.of(),
                    null,
                    null,
                    true);

    /** Rows of which every column tells the number of the row. */
    private static Batch batch(TableEncoding encoding) {
        RandomGenerator random = Seeds.generator(1);
        List<double[][]> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            double[] plain = new double[3];
            plain[random.nextInt(3)] = 1;
            rows.add(
                    new double[][] {
                        {i, 0}, plain, {random.nextInt(2)}, {i % 16, i + 1, (i + 5) % 16, 1, 0, 0}
                    });
        }
        return new TableRows(encoding).batch(rows);
    }

    private static double[] sorted(List<double[][]> rows, int column, int cell) {
        return rows.stream().mapToDouble(row -> row[column][cell]).sorted().toArray();
    }

    private void write(ReferenceSample sample) throws Exception {
        for (ModelFolder.Beside each : sample.beside()) {
            AtomicFile.write(folder.resolve(each.name()), each.bytes(), each.content());
        }
    }

    @Test
    void shouldDealEachColumnAnew() throws Exception {
        Batch batch = batch(ENCODING);
        ReferenceSample sample = new ReferenceSample(ENCODING, 7);
        assertThat(sample.beside()).isEmpty();
        sample.seen(batch);
        write(sample);
        List<double[][]> found = ReferenceSample.read(folder, ENCODING);
        assertThat(found).hasSize(100);
        double[] expected = new double[100];
        Arrays.setAll(expected, i -> Math.floorDiv(i * ROWS, 100));
        assertThat(sorted(found, 0, 0)).isEqualTo(expected);
        assertThat(sorted(found, 3, 1))
                .isEqualTo(Arrays.stream(expected).map(v -> v + 1).toArray());
        long whole = found.stream().filter(row -> row[0][0] + 1 == row[3][1]).count();
        assertThat(whole).isLessThan(10);
        for (double[][] row : found) { // What belongs to a column stays together.
            assertThat(row[3][0]).isEqualTo((row[3][1] - 1) % 16);
        }
    }

    @Test
    void shouldRefuseWhatIsDamagedOrOfAnother() throws Exception {
        ReferenceSample sample = new ReferenceSample(ENCODING, 7);
        sample.seen(batch(ENCODING));
        write(sample);
        TableEncoding other =
                new TableEncoding(
                        ENCODING.columns().subList(0, 1), ENCODING.label(), List.of(), null);
        assertThatThrownBy(() -> ReferenceSample.read(folder, other))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("of another model");
        Path file = folder.resolve(ModelFolder.REFERENCE);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 3] ^= 64;
        Files.write(file, bytes);
        assertThatThrownBy(() -> ReferenceSample.read(folder, ENCODING))
                .hasMessageContaining("damaged");
    }

    @Test
    void shouldBeARowWithoutValuesWhereThereIsNone() {
        List<double[][]> found = ReferenceSample.read(folder, ENCODING);
        assertThat(found).hasSize(1);
        assertThat(found.get(0)[0]).containsExactly(0, 1);
        assertThat(found.get(0)[1]).containsExactly(0, 0, 0);
    }

    private static NamedSpan array(String name, double... values) {
        HostArray array = HostArray.allocate(ElementType.FLOAT64, values.length);
        array.data().buffer().asDoubleBuffer().put(values);
        return new NamedSpan(name, array.type(), array.shape(), array.data());
    }

    @Test
    void aLinearModelShouldCountTheTermsOfAColumnTogether() {
        TableEncoding encoding =
                new TableEncoding(
                        List.of(ENCODING.columns().get(0), ENCODING.columns().get(3)),
                        ENCODING.label(),
                        List.of(),
                        null,
                        null,
                        true);
        double[] weights = new double[2 + 16];
        Arrays.setAll(weights, i -> i - 3);
        Coefficients coefficients =
                Coefficients.of(
                                new ModelSpec.Linear(),
                                encoding,
                                () -> List.of(array("0.weight", weights), array("0.bias", 0.5)))
                        .orElseThrow();
        double[][] usual = {{2, 0}, {3, 1, 4, 1, 0, 0}};
        LinearExplainer explainer =
                LinearExplainer.of(
                        coefficients,
                        encoding,
                        new TableRows(encoding),
                        List.of(usual, new double[][] {{4, 0}, {3, 1, 4, 1, 0, 0}}));
        ExplainedOutput output = new ExplainedOutput("yes", 0, false);
        Explanation found =
                explainer.explain(new double[][] {{5, 0}, {7, 2, 0, 0, 0, 0}}, output, () -> false);
        // Of the number -3 each; of terms 3, 4 and 7 it is 2, 3 and 6.
        assertThat(found.base()).isCloseTo(0.5 - 3 * 3 + 2 + 3, within(1e-12));
        assertThat(found.contributions()).containsExactly(-3.0 * (5 - 3), 6.0 * 2 - (2 + 3));
        assertThat(found.output()).isCloseTo(0.5 - 15 + 12, within(1e-12));
    }
}

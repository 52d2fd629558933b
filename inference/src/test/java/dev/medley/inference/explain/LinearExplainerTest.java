package dev.medley.inference.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.inference.model.Coefficients;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Contributions of linear models are those that one reckons by hand. */
@Tag("unit")
class LinearExplainerTest {
    private static final List<ColumnEncoding> COLUMNS =
            List.of(
                    new Numeric("age", ColumnEncoding.Source.NUMBER, 40, 10, 0, false),
                    new Category("job", List.of("a", "b"), false, false),
                    new SparseColumn.Hashed("note", 2, true, 2));

    /** Age, two jobs, four hashes, intercept. */
    private static final double[] FIRST = {2, 0.5, -1, 10, 20, 30, 40, 0.25};

    private static final List<double[][]> REFERENCE =
            List.of(
                    new double[][] {{1}, {1, 0}, {0, 0.5, 3, 0.5}},
                    new double[][] {{-3}, {0, 1}, {0, 0, 0, 0}});

    private static final double[][] ROW = {{1.5}, {0, 1}, {2, 0.25, 1, -0.5}};

    private static LinearExplainer of(LabelEncoding label, double[]... outputs) {
        TableEncoding encoding = new TableEncoding(COLUMNS, label, List.of(), null, null, true);
        List<Coefficients.Row> rows = new ArrayList<>();
        for (double[] output : outputs) {
            for (double value : output) {
                rows.add(new Coefficients.Row("", "f" + rows.size(), value, null));
            }
        }
        return LinearExplainer.of(
                new Coefficients(rows), encoding, new TableRows(encoding), REFERENCE);
    }

    private static void assertExplained(
            Explanation found, double base, double output, double... contributions) {
        assertThat(found.base()).isCloseTo(base, within(1e-12));
        assertThat(found.output()).isCloseTo(output, within(1e-12));
        double sum = found.base();
        for (int c = 0; c < contributions.length; c++) {
            double value = found.contributions().get(c);
            assertThat(value).as("column %d", c).isCloseTo(contributions[c], within(1e-12));
            sum += value;
        }
        assertThat(sum).isCloseTo(found.output(), within(1e-12));
        assertThat(found.isWhole()).isTrue();
        assertThat(found.errors()).isEmpty();
    }

    @Test
    void shouldTellWhatEachColumnAddsBeyondTheMeanOfReference() {
        LinearExplainer explainer = of(LabelEncoding.ofClasses("y", List.of("no", "yes")), FIRST);
        assertThat(explainer.isExact()).isTrue();
        assertThat(explainer.background()).isEqualTo("2 rows of reference");
        // On average: age 2 (1 - 3) / 2, job (0.5 - 1) / 2, note (10 + 40) / 2 / 2.
        ExplainedOutput yes = new ExplainedOutput("yes", 0, false);
        double note = 30 * 0.25 - 20 * 0.5;
        assertExplained(
                explainer.explain(ROW, yes, () -> false),
                0.25 - 2 - 0.25 + 12.5,
                0.25 + 3 - 1 + note,
                3 + 2,
                -1 + 0.25,
                note - 12.5);
        ExplainedOutput no = new ExplainedOutput("no", 0, true);
        assertExplained(
                explainer.explain(ROW, no, () -> false),
                -10.5,
                -(2.25 + note),
                -5,
                0.75,
                12.5 - note);
    }

    @Test
    void shouldExplainTheClassThatIsAskedFor() {
        double[] second = {-1, 0, 2, 0, 1, 0, 0, 3};
        double[] third = new double[8];
        LinearExplainer explainer =
                of(LabelEncoding.ofClasses("y", List.of("a", "b", "c")), FIRST, second, third);
        assertExplained(
                explainer.explain(ROW, new ExplainedOutput("b", 1, false), () -> false),
                3 + 1 + 1,
                3 - 1.5 + 2 - 0.5,
                -2.5,
                1,
                -0.5);
        assertExplained(
                explainer.explain(ROW, new ExplainedOutput("c", 2, false), () -> false),
                0,
                0,
                0,
                0,
                0);
    }
}

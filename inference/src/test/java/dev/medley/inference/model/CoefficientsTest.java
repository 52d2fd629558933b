package dev.medley.inference.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.evaluation.LargestCoefficients;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.TableEncoding;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CoefficientsTest {
    private static final List<ColumnEncoding> COLUMNS =
            List.of(
                    new Numeric("age", ColumnEncoding.Source.NUMBER, 40, 10, 0, false),
                    new Category("job, if any", List.of("a", "b"), false, false));

    private static NamedSpan array(String name, double... values) {
        HostArray array = HostArray.allocate(ElementType.FLOAT64, values.length);
        array.data().buffer().asDoubleBuffer().put(values);
        return new NamedSpan(name, array.type(), array.shape(), array.data());
    }

    @Test
    void shouldNameColumnsAndCategories() {
        TableEncoding encoding =
                new TableEncoding(
                        COLUMNS,
                        LabelEncoding.ofClasses("y", List.of("no", "yes")),
                        List.of(),
                        null);
        Coefficients found =
                Coefficients.of(
                                new ModelSpec.Linear(),
                                encoding,
                                () ->
                                        List.of(
                                                array("0.weight", 1.96, 0, -2),
                                                array("0.bias", 0.5),
                                                array("0.weight.standard_error", 1, Double.NaN, 1),
                                                array("0.bias.standard_error", 0.5)))
                        .orElseThrow();
        assertThat(found.csv().lines())
                .containsExactly(
                        "class,feature,coefficient,standard_error,z,p",
                        ",age,1.9600000,1.0000000,1.9600000,0.0499958",
                        ",\"job, if any=a\",0.0000000,,,",
                        ",\"job, if any=b\",-2.0000000,1.0000000,-2.0000000,0.0455003",
                        ",(intercept),0.50000000,0.50000000,1.0000000,0.317311");
        LargestCoefficients largest = found.largest();
        assertThat(largest.zeros()).isEqualTo(1);
        assertThat(largest.tables().get(0).rows())
                .containsExactly(
                        List.of("job, if any=b", "-2.000", "1.00", "0.0455"),
                        List.of("age", "1.960", "1.00", "0.0500"));
        assertThat(Coefficients.of(ModelSpec.Mlp.plain(), encoding, List::of)).isEmpty();
    }

    @Test
    void aNumberShouldBeToldInItsOwnUnits() {
        LabelEncoding price =
                LabelEncoding.ofNumber("price", ColumnEncoding.Source.NUMBER, 100, 20);
        TableEncoding encoding = new TableEncoding(COLUMNS, price, List.of(), null);
        List<Coefficients.Row> rows =
                Coefficients.of(
                                new ModelSpec.Linear(),
                                encoding,
                                () -> List.of(array("0.weight", 0.5, 0, 1), array("0.bias", -1)))
                        .orElseThrow()
                        .rows();
        assertThat(rows)
                .extracting(Coefficients.Row::coefficient)
                .containsExactly(10.0, 0.0, 20.0, 80.0);
        assertThat(rows).allMatch(row -> row.p() == null);
    }

    /** Those of SciPy's norm.sf. */
    @Test
    void chancesShouldBeThoseOfTheNormalDistribution() {
        double[][] known = {
            {0, 1},
            {0.5, 0.6170750774519738},
            {1, 0.31731050786291415},
            {3, 0.0026997960632601866},
            {6, 1.9731752900753403e-9}
        };
        for (double[] one : known) {
            assertThat(Coefficients.twoSided(one[0])).isCloseTo(one[1], within(2e-7 * one[1]));
        }
        assertThat(Objects.requireNonNull(new Coefficients.Row("", "x", -3, 1.0).p()))
                .isCloseTo(0.0027, within(1e-5));
    }
}

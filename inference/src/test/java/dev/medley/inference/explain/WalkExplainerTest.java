package dev.medley.inference.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.job.Signature.Link;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.TableEncoding;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Drawn Shapley values are near those of all subsets, and as near as they say. */
@Tag("property")
class WalkExplainerTest {
    private static final int COLUMNS = 4;
    private static final TableEncoding ENCODING = encoding();
    private static final TableRows ROWS = new TableRows(ENCODING);
    private static final ExplainedOutput OUTPUT = new ExplainedOutput("prediction", 0, false);

    private static TableEncoding encoding() {
        List<ColumnEncoding> columns = new ArrayList<>();
        for (int i = 0; i < COLUMNS; i++) {
            columns.add(new Numeric("c" + i, ColumnEncoding.Source.NUMBER, 0, 1, 0, false));
        }
        return new TableEncoding(
                columns, LabelEncoding.ofClasses("y", List.of("no", "yes")), List.of(), null);
    }

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    /** Columns that work together, by weights that are drawn. */
    private static double model(float[] x, double[] w) {
        return w[0] * x[0]
                + w[1] * x[0] * x[1]
                + w[2] * Math.tanh(x[1] * x[2])
                + w[3] * x[3] * x[3];
    }

    private static Function<Batch, HostArray> of(double[] weights) {
        return batch -> {
            FloatBuffer in = batch.inputs().get(0).data().buffer().asFloatBuffer();
            HostArray out = HostArray.allocate(ElementType.FLOAT32, batch.samples(), 1);
            for (int row = 0; row < batch.samples(); row++) {
                float[] x = new float[COLUMNS];
                in.get(row * COLUMNS, x);
                out.data().buffer().asFloatBuffer().put(row, (float) model(x, weights));
            }
            return out;
        };
    }

    private static double[][] row(RandomGenerator random) {
        double[][] row = new double[COLUMNS][1];
        for (double[] cell : row) {
            cell[0] = (float) random.nextGaussian();
        }
        return row;
    }

    /** What the model says on average where some columns are the row's. */
    private static double known(
            double[][] row, int subset, List<double[][]> reference, double[] weights) {
        double sum = 0;
        for (double[][] other : reference) {
            float[] x = new float[COLUMNS];
            for (int c = 0; c < COLUMNS; c++) {
                x[c] = (float) ((subset >> c & 1) == 1 ? row : other)[c][0];
            }
            sum += model(x, weights) / reference.size();
        }
        return sum;
    }

    private static double factorial(int n) {
        return n <= 1 ? 1 : n * factorial(n - 1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldBeAsNearAsItSays(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        double[] weights = random.doubles(COLUMNS, -2, 2).toArray();
        List<double[][]> reference = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            reference.add(row(random));
        }
        double[][] row = row(random);
        WalkExplainer explainer =
                new WalkExplainer(of(weights), ENCODING.label().target(), ROWS, reference);
        Explanation found = explainer.explain(row, OUTPUT, () -> false);
        assertThat(found.isWhole()).isTrue();
        assertThat(found.walks()).isEqualTo(200);
        assertThat(found.base()).isCloseTo(known(row, 0, reference, weights), within(1e-5));
        double sum = found.base();
        for (int c = 0; c < COLUMNS; c++) {
            double expected = 0;
            for (int subset = 0; subset < 1 << COLUMNS; subset++) {
                if ((subset >> c & 1) == 0) {
                    int size = Integer.bitCount(subset);
                    expected +=
                            factorial(size)
                                    * factorial(COLUMNS - size - 1)
                                    / factorial(COLUMNS)
                                    * (known(row, subset | 1 << c, reference, weights)
                                            - known(row, subset, reference, weights));
                }
            }
            double value = found.contributions().get(c);
            assertThat(value).isCloseTo(expected, within(5 * found.errors().get(c) + 1e-5));
            sum += value;
        }
        assertThat(sum).isCloseTo(found.output(), within(1e-9));
        assertThat(explainer.explain(row, OUTPUT, () -> false)).isEqualTo(found);
    }

    @Test
    void shouldTellWhatItHasWhenTheTimeIsOver() {
        RandomGenerator random = Seeds.generator(1);
        List<double[][]> reference = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            reference.add(row(random));
        }
        WalkExplainer explainer =
                new WalkExplainer(
                        of(new double[] {1, 1, 1, 1}), ENCODING.label().target(), ROWS, reference);
        AtomicInteger asked = new AtomicInteger();
        Explanation found =
                explainer.explain(row(random), OUTPUT, () -> asked.incrementAndGet() > 2);
        assertThat(found.isWhole()).isFalse();
        assertThat(found.walks()).isBetween(2, 1999);
        double sum = found.contributions().stream().mapToDouble(c -> c).sum();
        assertThat(found.base() + sum).isCloseTo(found.output(), within(1e-9));
        assertThatThrownBy(() -> explainer.explain(row(random), OUTPUT, () -> true))
                .isInstanceOf(OverdueException.class);
    }

    /** A walk has columns times columns of values: they are not all there at once. */
    @Test
    void shouldHoldNoMoreValuesAtOnceThanThereIsRoomFor() {
        int columns = 3000;
        List<ColumnEncoding> wide = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            wide.add(new Numeric("c" + i, ColumnEncoding.Source.NUMBER, 0, 1, 0, false));
        }
        TableEncoding encoding =
                new TableEncoding(
                        wide, LabelEncoding.ofClasses("y", List.of("no", "yes")), List.of(), null);
        AtomicLong most = new AtomicLong();
        Function<Batch, HostArray> first =
                batch -> {
                    most.accumulateAndGet((long) batch.samples() * columns, Math::max);
                    FloatBuffer in = batch.inputs().get(0).data().buffer().asFloatBuffer();
                    HostArray out = HostArray.allocate(ElementType.FLOAT32, batch.samples(), 1);
                    for (int row = 0; row < batch.samples(); row++) {
                        out.data().buffer().asFloatBuffer().put(row, in.get(row * columns));
                    }
                    return out;
                };
        double[][] row = new double[columns][1];
        row[0][0] = 2;
        WalkExplainer explainer =
                new WalkExplainer(
                        first,
                        encoding.label().target(),
                        new TableRows(encoding),
                        List.<double[][]>of(new double[columns][1]));
        AtomicInteger asked = new AtomicInteger();
        Explanation found = explainer.explain(row, OUTPUT, () -> asked.incrementAndGet() > 40);
        assertThat(found.walks()).isEqualTo(2);
        assertThat(found.contributions().get(0)).isEqualTo(2);
        assertThat(found.contributions().stream().mapToDouble(c -> c).sum()).isEqualTo(2);
        assertThat(most.get()).isBetween(columns * 100L, 1L << 20);
    }

    /** Of a rate that has no room in 32 bits the logarithm is none, nor are differences of it. */
    @ParameterizedTest
    @ValueSource(floats = {0, Float.MIN_VALUE, Float.POSITIVE_INFINITY})
    void shouldGiveNumbersForRatesThatAreTooSmallOrTooLarge(float rate) {
        Target rates = new Target(TargetKind.VALUE, 1, List.of(), 2, 1, Link.LOG);
        Function<Batch, HostArray> model =
                batch -> {
                    HostArray out = HostArray.allocate(ElementType.FLOAT32, batch.samples(), 1);
                    for (int row = 0; row < batch.samples(); row++) {
                        out.data().buffer().asFloatBuffer().put(row, row % 2 == 0 ? rate : 1);
                    }
                    return out;
                };
        double[][] row = row(Seeds.generator(1));
        WalkExplainer explainer = new WalkExplainer(model, rates, ROWS, List.<double[][]>of(row));
        Explanation found = explainer.explain(row, OUTPUT, () -> false);
        assertThat(found.contributions()).allMatch(Double::isFinite);
        assertThat(found.base()).isFinite();
        assertThat(found.output()).isFinite();
    }
}

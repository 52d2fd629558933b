package dev.medley.loop.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.loop.drift.KolmogorovSmirnov.Way;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Statistics are scipy's, and rules Evidently's: references.json is of tools/loop/references.py.
 */
@Tag("unit")
class ScipyTest {
    private static final double NEAR = 1e-9;

    private static JsonNode references;

    @BeforeAll
    static void read() throws Exception {
        try (InputStream in = ScipyTest.class.getResourceAsStream("references.json")) {
            references = Json.parse(in.readAllBytes(), JsonNode.class);
        }
        assertThat(references.get("scipy").stringValue()).isEqualTo("1.17.1");
    }

    @Test
    void shouldEqualKsOfSmallSamples() {
        for (JsonNode pair : references.get("numbers")) {
            NumberSample a = sample(pair.get("reference"));
            NumberSample b = sample(pair.get("current"));
            String name = pair.get("name") + " " + a.size() + " " + b.size();
            Significance auto = KolmogorovSmirnov.test(a, b);
            near(auto.statistic(), pair.get("statistic"), name);
            near(auto.pValue(), pair.get("auto"), name);
            near(KolmogorovSmirnov.test(a, b, Way.EXACT).pValue(), pair.get("exact"), name);
            if (!pair.get("asymptotic").isNull()) { // scipy has none for two samples of one.
                near(
                        KolmogorovSmirnov.test(a, b, Way.ASYMPTOTIC).pValue(),
                        pair.get("asymptotic"),
                        name);
            }
        }
    }

    @Test
    void shouldEqualKsAndWassersteinOfLargeSamples() {
        for (JsonNode pair : references.get("large")) {
            NumberSample a = made(pair.get("n").intValue(), 1, 0);
            NumberSample b = made(pair.get("m").intValue(), 5, pair.get("shift").doubleValue());
            Significance auto = KolmogorovSmirnov.test(a, b);
            String name = a.size() + " " + b.size();
            near(auto.statistic(), pair.get("statistic"), name);
            near(auto.pValue(), pair.get("auto"), name);
            near(Wasserstein.distance(a, b), pair.get("wasserstein"), name);
        }
    }

    @Test
    void shouldEqualKolmogorovsTail() {
        for (JsonNode tail : references.get("tails")) {
            double above =
                    KolmogorovTail.above(tail.get("d").doubleValue(), tail.get("n").longValue());
            near(above, tail.get("above"), tail.toString());
        }
    }

    @Test
    void shouldEqualWassersteinWithAndWithoutWeights() {
        for (JsonNode pair : references.get("numbers")) {
            double[] a = doubles(pair.get("reference"));
            double[] b = doubles(pair.get("current"));
            String name = pair.get("name").toString();
            near(
                    Wasserstein.distance(NumberSample.of(a), NumberSample.of(b)),
                    pair.get("wasserstein"),
                    name);
            double[] aWeights = doubles(pair.get("referenceWeights"));
            double[] bWeights = doubles(pair.get("currentWeights"));
            near(Wasserstein.weighted(a, aWeights, b, bWeights), pair.get("weighted"), name);
        }
    }

    @Test
    void shouldBinAsNumpyAndEvidentlyDo() {
        int compared = 0;
        for (JsonNode pair : references.get("numbers")) {
            NumberSample a = sample(pair.get("reference"));
            NumberSample b = sample(pair.get("current"));
            String name = pair.get("name") + " " + a.size() + " " + b.size();
            Bins bins = Bins.sturges(a, b);
            double[] edges = doubles(pair.get("edges"));
            assertThat(bins.edges()).as(name).hasSameSizeAs(edges);
            double span = edges[edges.length - 1] - edges[0];
            assertThat(bins.edges()).as(name).containsExactly(edges, within(NEAR * span));
            assertThat(bins.counts(a)).containsExactly(doubles(pair.get("binned").get(0)));
            assertThat(bins.counts(b)).containsExactly(doubles(pair.get("binned").get(1)));
            if (!pair.get("stability").isNull()) {
                double index = Divergences.stabilityIndex(bins.counts(a), bins.counts(b));
                near(index, pair.get("stability"), name);
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(10);
    }

    @Test
    void shouldBinByQuantilesOfTheReference() {
        for (JsonNode pair : references.get("numbers")) {
            NumberSample a = sample(pair.get("reference"));
            Bins bins = Bins.quantiles(a, 10);
            double[] edges = bins.edges();
            double[] inner = doubles(pair.get("quantileEdges"));
            assertThat(edges).hasSize(inner.length + 2);
            for (int i = 0; i < inner.length; i++) {
                assertThat(edges[i + 1]).isCloseTo(inner[i], within(scale(inner[i])));
            }
            double[] counts = bins.counts(sample(pair.get("current")));
            double expected = Arrays.stream(doubles(pair.get("quantileBinned").get(1))).sum();
            assertThat(Arrays.stream(counts).sum()).isEqualTo(expected);
        }
    }

    @Test
    void shouldEqualStatisticsOfCategories() {
        for (JsonNode pair : references.get("categories")) {
            long[] a = longs(pair.get("reference"));
            long[] b = longs(pair.get("current"));
            String name = pair.get("reference").toString();
            Significance chi = ChiSquared.homogeneity(a, b);
            near(chi.statistic(), pair.get("chi"), name);
            near(chi.pValue(), pair.get("chiP"), name);
            Significance fit = ChiSquared.goodness(b, a);
            if (pair.get("fit").isNumber()) {
                near(fit.statistic(), pair.get("fit"), name);
            } else {
                assertThat(fit.statistic()).isInfinite();
            }
            near(fit.pValue(), pair.get("fitP"), name);
            double[] p = Arrays.stream(a).asDoubleStream().toArray();
            double[] q = Arrays.stream(b).asDoubleStream().toArray();
            near(Divergences.jensenShannon(p, q, Math.E), pair.get("jensenShannon"), name);
            near(Divergences.jensenShannon(p, q, 2), pair.get("jensenShannon2"), name);
            if (!pair.get("stability").isNull()) {
                near(Divergences.stabilityIndex(p, q), pair.get("stability"), name);
            }
            if (!pair.get("z").isNull()) {
                Significance z =
                        Proportions.test(
                                a[0], Arrays.stream(a).sum(), b[0], Arrays.stream(b).sum());
                near(z.statistic(), pair.get("z"), name);
                near(z.pValue(), pair.get("zP"), name);
            }
        }
    }

    @Test
    void shouldChooseAndJudgeAsEvidently() {
        assertThat(references.get("rules").size()).isGreaterThanOrEqualTo(50);
        for (JsonNode rule : references.get("rules")) {
            boolean isNumber = rule.get("kind").stringValue().equals("number");
            EvidentlyRule.Verdict verdict =
                    isNumber
                            ? EvidentlyRule.judge(
                                    sample(rule.get("reference")), sample(rule.get("current")))
                            : EvidentlyRule.judge(
                                    categories(rule.get("reference")),
                                    categories(rule.get("current")));
            String expected =
                    switch (rule.get("rule").stringValue()) {
                        case "ks" -> "KOLMOGOROV_SMIRNOV";
                        case "chisquare" -> "CHI_SQUARED";
                        case "z" -> "PROPORTIONS";
                        default -> rule.get("rule").stringValue();
                    };
            assertThat(verdict.rule().name().replace("_", ""))
                    .isEqualToIgnoringCase(expected.replace("_", ""));
            near(verdict.score(), rule.get("score"), expected);
            assertThat(verdict.isDrift()).isEqualTo(rule.get("isDrift").booleanValue());
        }
    }

    @Test
    void shouldSayWhatIsMissing() {
        NumberSample none = NumberSample.of(Double.NaN, Double.POSITIVE_INFINITY);
        NumberSample one = NumberSample.of(1);
        assertThat(none.missing()).isEqualTo(1);
        assertThat(none.infinite()).isEqualTo(1);
        assertThatThrownBy(() -> KolmogorovSmirnov.test(one, none))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the current sample has no numbers (1 missing, 1 infinite)");
        assertThatThrownBy(() -> Wasserstein.distance(none, one))
                .hasMessageContaining("the reference has no numbers");
        assertThatThrownBy(() -> ChiSquared.homogeneity(new long[] {0, 0}, new long[] {1, 2}))
                .hasMessageContaining("the reference has no values");
        assertThatThrownBy(() -> Divergences.jensenShannon(new double[1], new double[] {1}, 2))
                .hasMessageContaining("the reference has no values");
        assertThatThrownBy(() -> Proportions.test(0, 0, 1, 2))
                .hasMessageContaining("the reference has no rows");
        assertThatThrownBy(() -> Bins.quantiles(none, 10)).hasMessageContaining("no numbers");
    }

    private static void near(double ours, JsonNode theirs, String name) {
        double expected = theirs.doubleValue();
        assertThat(ours).as(name).isCloseTo(expected, within(scale(expected)));
    }

    private static double scale(double expected) {
        return NEAR * Math.max(1, Math.abs(expected));
    }

    private static NumberSample made(int n, long seed, double shift) {
        double[] values = new double[n];
        for (int i = 0; i < n; i++) {
            values[i] = (i * 7919L + seed * 104729L) % 1000003 / 1000.0 + shift;
        }
        return NumberSample.of(values);
    }

    private static NumberSample sample(JsonNode values) {
        return NumberSample.of(doubles(values));
    }

    private static double[] doubles(JsonNode values) {
        double[] doubles = new double[values.size()];
        for (int i = 0; i < doubles.length; i++) {
            doubles[i] = values.get(i).isNull() ? Double.NaN : values.get(i).doubleValue();
        }
        return doubles;
    }

    private static long[] longs(JsonNode values) {
        return Arrays.stream(doubles(values)).mapToLong(v -> (long) v).toArray();
    }

    private static CategorySample categories(JsonNode values) {
        List<String> labels = new ArrayList<>();
        values.forEach(value -> labels.add(value.isNull() ? null : value.stringValue()));
        return CategorySample.of(labels);
    }
}

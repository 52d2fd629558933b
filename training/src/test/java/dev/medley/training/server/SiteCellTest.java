package dev.medley.training.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.post.Letter;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a site's forwards move the parameters by, through a codec that leaves much out. */
@Tag("unit")
class SiteCellTest {
    private static final ElementType TYPE = ElementType.FLOAT64;
    private static final int ELEMENTS = 600;
    private static final double BATCH = 256;
    private static final double[] SAMPLES = {256, 1, 256, 3, 1, 1, 64, 256, 2, 256};

    /**
     * Pushes of a few samples behind pushes of many: nothing is left out for longer, and nothing
     * comes more than once. With clocks each moves by the whole rate, so a mean gradient is kept;
     * without, by its part, so what is kept is what its own samples would have moved by.
     *
     * @param tokens of a sample, which change from push to push where more than one
     */
    @ParameterizedTest
    @CsvSource({"true, 1", "false, 1", "true, 8", "false, 8"})
    void pushesOfUnlikeWeightShouldMoveByTheirOwnGradients(boolean isInClocks, int tokens) {
        double rateOfClock = 0.5;
        Span merged = Span.allocate(ELEMENTS * Double.BYTES);
        CellCoding coding =
                new CellCoding(
                        Codec.of(Compress.INT4, CodecSpec.DEFAULT).orElseThrow(), TYPE, ELEMENTS);
        SiteCut.Cell cell = new SiteCut.Cell(1, new Stretches.Stretch(0, ELEMENTS), List.of(0, 1));
        SiteCell way = new SiteCell(0, cell, TYPE, merged, Span.allocate(merged.bytes()), coding);
        way.begin(isInClocks ? 0 : rateOfClock);
        double[] moved = new double[ELEMENTS];
        double[] exact = new double[ELEMENTS];
        double most = 0;
        for (int push = 0; push < 40; push++) {
            double samples = SAMPLES[push % SAMPLES.length];
            double weight = samples * (1 + push % tokens);
            double rate = isInClocks ? rateOfClock : rateOfClock * samples / BATCH;
            Span gradient = gradient(weight);
            way.add(new Letter(1, 1, push, weight, rate, 1, gradient), gradient, 0);
            Letter sent = way.take(1);
            Span decoded = coding.decode(way.coded(sent).body(), Span.allocate(merged.bytes()));
            double factor = sent.rate() / sent.weight();
            double largest = 0;
            for (int i = 0; i < ELEMENTS; i++) {
                exact[i] += factor * values(gradient)[i];
                moved[i] += factor * values(decoded)[i];
                largest = Math.max(largest, factor * Math.abs(values(gradient)[i]));
            }
            most = Math.max(most, largest);
            way.applied();
        }
        double[] differences = new double[ELEMENTS];
        Arrays.setAll(differences, i -> Math.abs(exact[i] - moved[i]));
        // Half a level of 14 of the largest push, and of what was left out in it.
        assertThat(Arrays.stream(differences).max().orElseThrow()).isCloseTo(0, within(most / 10));
    }

    /** Of two pushes, of which the first is shortened by half. */
    @Test
    void pushesShouldGoAsTheirSumFromTheirMeanBeginning() {
        SiteCell way = plain();
        way.begin(0);
        Span first = gradient(3);
        Span second = gradient(1);
        way.add(new Letter(1, 1, 1, 3, 0.3, 0.5, first), first, 2);
        way.add(new Letter(1, 1, 2, 1, 0.1, 1, second), second, 6);
        way.forwards(4);
        assertThat(way.isAwaited()).isTrue();
        assertThat(way.forwarded()).isEqualTo(4);
        Letter sent = way.take(1);
        assertThat(sent.weight()).isEqualTo(4);
        assertThat(sent.rate()).isCloseTo(0.4, within(1e-12));
        assertThat(sent.scale()).as("(3 x 2 + 1 x 6) / 4").isCloseTo(3, within(1e-12));
        assertThat(sent.number()).isEqualTo(4);
        assertThat(values(sent.body())).containsExactly(values(gradient(2.5)), within(1e-12));
        assertThat(way.coded(sent)).as("without a codec").isSameAs(sent);
        assertThat(way.take(1).body().bytes()).as("nothing is left").isZero();
    }

    @Test
    void anAnswerShouldBringParametersAndHowFarAllAre() {
        Span parameters = gradient(0);
        SiteCell way = new SiteCell(0, cell(), TYPE, gradient(0), parameters, null);
        way.begin(0);
        way.forwards(1);
        way.answered(new Letter(1, 1, 1, 7.5, 5, 0, gradient(2)));
        assertThat(way.isAwaited()).isFalse();
        assertThat(way.version()).isEqualTo(7.5);
        assertThat(way.slowest()).isEqualTo(5);
        assertThat(values(parameters)).containsExactly(values(gradient(2)), within(0.0));
        assertThat(way.take(1).scale()).as("who pushed nothing began from here").isEqualTo(7.5);
        way.answered(Letter.empty(1, 1, 2));
        assertThat(values(parameters))
                .as("none came")
                .containsExactly(values(gradient(2)), within(0.0));
        way.begin(0);
        assertThat(way.version()).isZero();
        assertThat(way.slowest()).isZero();
        assertThat(way.forwarded()).isZero();
    }

    private static SiteCell plain() {
        return new SiteCell(0, cell(), TYPE, gradient(0), gradient(0), null);
    }

    private static SiteCut.Cell cell() {
        return new SiteCut.Cell(1, new Stretches.Stretch(0, ELEMENTS), List.of(0, 1));
    }

    private static Span gradient(double weight) {
        Span span = Span.allocate(ELEMENTS * Double.BYTES);
        DoubleBuffer buffer = span.buffer().asDoubleBuffer();
        for (int i = 0; i < ELEMENTS; i++) {
            buffer.put(i, weight * Math.sin(i));
        }
        return span;
    }

    private static double[] values(Span span) {
        double[] values = new double[ELEMENTS];
        span.buffer().asDoubleBuffer().get(values);
        return values;
    }
}

package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.training.loop.RunningStatistics.From;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("unit")
class RunningStatisticsTest {
    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            names = {"FLOAT32", "FLOAT64"})
    void shouldBecomeTheWeightedMeanOfAllRanks(ElementType type) {
        Span live = span(type, 4, 8);
        Span exchanged = Span.allocate(live.bytes());
        RunningStatistics mine = new RunningStatistics(live, List.of(), exchanged, type);
        mine.offer(3, From.COMMON);
        assertThat(values(exchanged, type)).containsExactly(12, 24);
        add(exchanged, type, 4, -20);
        mine.applied(4);
        assertThat(values(live, type)).containsExactly(4, 1);
    }

    @Test
    void aDiscardedStepShouldLeaveNoTrace() {
        ElementType type = ElementType.FLOAT32;
        Span live = span(type, 4, 8);
        Span exchanged = Span.allocate(live.bytes());
        RunningStatistics mine = new RunningStatistics(live, List.of(), exchanged, type);
        live.copyFrom(span(type, 5, 9));
        mine.offer(1, From.COMMON);
        mine.applied(1);
        live.copyFrom(span(type, 100, 200));
        mine.offer(2, From.COMMON);
        mine.discarded();
        assertThat(values(live, type)).as("those of the applied step").containsExactly(5, 9);
    }

    @Test
    void aRankWithoutSamplesShouldTakeWhatTheOthersSaw() {
        ElementType type = ElementType.FLOAT32;
        Span live = span(type, 4, 8);
        Span exchanged = Span.allocate(live.bytes());
        RunningStatistics mine = new RunningStatistics(live, List.of(), exchanged, type);
        mine.offer(0, From.COMMON);
        add(exchanged, type, 6, 10);
        mine.applied(2);
        assertThat(values(live, type)).containsExactly(3, 5);
    }

    @Test
    void shouldStayWhereNobodyHasAWeight() {
        ElementType type = ElementType.FLOAT32;
        Span live = span(type, 4, 8);
        RunningStatistics mine =
                new RunningStatistics(live, List.of(), Span.allocate(live.bytes()), type);
        live.copyFrom(span(type, 5, 9));
        mine.offer(0, From.COMMON);
        mine.applied(0);
        assertThat(values(live, type)).containsExactly(4, 8);
    }

    private static Span span(ElementType type, double... values) {
        Span span = Span.allocate((long) values.length * type.bytes());
        add(span, type, values);
        return span;
    }

    private static void add(Span span, ElementType type, double... values) {
        for (int i = 0; i < values.length; i++) {
            int at = i * type.bytes();
            if (type == ElementType.FLOAT64) {
                span.buffer().putDouble(at, span.buffer().getDouble(at) + values[i]);
            } else {
                span.buffer().putFloat(at, (float) (span.buffer().getFloat(at) + values[i]));
            }
        }
    }

    private static double[] values(Span span, ElementType type) {
        double[] values = new double[(int) (span.bytes() / type.bytes())];
        for (int i = 0; i < values.length; i++) {
            int at = i * type.bytes();
            values[i] =
                    type == ElementType.FLOAT64
                            ? span.buffer().getDouble(at)
                            : span.buffer().getFloat(at);
        }
        return values;
    }
}

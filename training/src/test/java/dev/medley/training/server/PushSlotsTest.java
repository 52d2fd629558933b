package dev.medley.training.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.exchange.post.Letter;
import dev.medley.training.server.PushSlots.Sum;
import dev.medley.training.strategy.Memory;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What pushes come to together, and the arithmetic that they are added with. */
@Tag("unit")
class PushSlotsTest {
    private final PushSlots slots = new PushSlots(3, ElementType.FLOAT64);
    private final Span into = numbers(0);

    @Test
    void pushesOfOneClientShouldBeAddedEachWithItsScale() {
        slots.add(1, push(3, 0.3, 10), 0.5, 1);
        slots.add(1, push(1, 0.1, 7), 2, 2);
        assertThat(slots.take(1, into)).as("the last is due later").isEqualTo(Sum.NONE);
        assertThat(slots.take(2, into)).as("the first one's rate").isEqualTo(new Sum(4, 0.3));
        assertThat(number(into)).isEqualTo(0.5 * 10 + 2 * 7);
        assertThat(slots.take(2, into)).as("it is gone").isEqualTo(Sum.NONE);
    }

    @Test
    void pushesOfSeveralShouldBeAddedAsTheyAreDue() {
        slots.add(2, push(3, 0.3, 10), 1, 1);
        slots.add(0, push(1, 0.1, 7), 1, 1);
        slots.add(1, push(5, 0.5, 100), 1, 2);
        assertThat(slots.take(1, into)).isEqualTo(new Sum(4, 0.1));
        assertThat(number(into)).isEqualTo(17);
        assertThat(slots.take(2, into)).isEqualTo(new Sum(5, 0.5));
        assertThat(number(into)).isEqualTo(100);
    }

    @Test
    void whatIsKeptShouldBeACopy() {
        Span body = numbers(4);
        Span kept = slots.keep(0, body);
        body.copyFrom(numbers(9));
        assertThat(number(kept)).isEqualTo(4);
        assertThat(slots.keep(1, body.slice(0, 0)).bytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            names = {"FLOAT32", "FLOAT64"})
    void theSquaredNormShouldBeTheSumOfSquares(ElementType type) {
        Span span = Span.allocate(3L * type.bytes());
        double[] values = {1, -2, 3};
        for (int i = 0; i < values.length; i++) {
            put(span, type, i, values[i]);
        }
        assertThat(Memory.squaredNorm(span, type)).isEqualTo(14);
        put(span, type, 1, Double.NaN);
        assertThat(Memory.squaredNorm(span, type)).isNaN();
    }

    @Test
    void spansShouldBeCopiedByNameWhereTheyAreAsLong() {
        List<NamedSpan> from = List.of(named("a", numbers(1)), named("b", numbers(2)));
        Span same = numbers(0);
        Span longer = Span.allocate(2 * Double.BYTES);
        Span other = numbers(0);
        Memory.copy(from, List.of(named("b", same), named("a", longer), named("c", other)));
        assertThat(number(same)).isEqualTo(2);
        assertThat(number(longer)).isZero();
        assertThat(number(other)).isZero();
    }

    private static NamedSpan named(String name, Span data) {
        long[] shape = {data.bytes() / Double.BYTES};
        return new NamedSpan(name, ElementType.FLOAT64, shape, data);
    }

    private static void put(Span span, ElementType type, int i, double value) {
        if (type == ElementType.FLOAT64) {
            span.buffer().putDouble(i * type.bytes(), value);
        } else {
            span.buffer().putFloat(i * type.bytes(), (float) value);
        }
    }

    private static Letter push(double weight, double rate, double gradient) {
        return new Letter(ShardServer.PUSH, 1, 1, weight, rate, 1, numbers(gradient));
    }

    private static Span numbers(double value) {
        Span span = Span.allocate(Double.BYTES);
        span.buffer().putDouble(0, value);
        return span;
    }

    private static double number(Span span) {
        return span.buffer().getDouble(0);
    }
}

package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("unit")
class FiniteTest {
    private static final int COUNT = 5;

    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            names = {"FLOAT32", "FLOAT64"})
    void shouldFindAnyThatIsNoNumber(ElementType type) {
        Span span = Span.allocate((long) COUNT * type.bytes());
        assertThat(Finite.all(span, type)).isTrue();
        for (int i = 0; i < COUNT; i++) {
            for (double bad : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
                put(span, type, i, bad);
                assertThat(Finite.all(span, type)).as("%s at %d", bad, i).isFalse();
            }
            put(span, type, i, -1e30);
            assertThat(Finite.all(span, type)).isTrue();
        }
    }

    private static void put(Span span, ElementType type, int i, double value) {
        if (type == ElementType.FLOAT64) {
            span.buffer().putDouble(i * type.bytes(), value);
        } else {
            span.buffer().putFloat(i * type.bytes(), (float) value);
        }
    }
}

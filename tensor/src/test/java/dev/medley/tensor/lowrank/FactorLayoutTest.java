package dev.medley.tensor.lowrank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.memory.ElementType;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import dev.medley.tensor.lowrank.FactorLayout.Matrix;
import dev.medley.tensor.lowrank.FactorLayout.Other;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FactorLayoutTest {
    private static final ParameterLayout PARAMETERS =
            new ParameterLayout(
                    ElementType.FLOAT32,
                    List.of(
                            slot("weight", 0, true, 20L, 30L),
                            slot("bias", 608, true, 20L),
                            slot("filters", 640, true, 16L, 4L, 3L, 3L),
                            slot("frozen", 1216, false, 40L, 40L),
                            slot("narrow", 2816, true, 40L, 4L),
                            slot("head", 2976, true, 10L, 20L)),
                    List.of());

    private static Slot slot(String name, long offset, boolean isTrainable, Long... shape) {
        return new Slot(name, List.of(shape), MemoryOrder.ROW_MAJOR, offset, isTrainable);
    }

    @Test
    void shouldSendFactorsWhereTheyAreLessThanHalf() {
        FactorLayout layout = FactorLayout.of(PARAMETERS, 3);
        assertThat(layout.matrices())
                .containsExactly(
                        new Matrix(0, 20, 30, 0, 0),
                        new Matrix(640, 16, 36, 60, 90),
                        new Matrix(2976, 10, 20, 108, 198));
        assertThat(layout.others())
                .as("a bias, and 3 (40 + 4) numbers in place of 160; what is frozen stays")
                .containsExactly(new Other(608, 20, 0), new Other(2816, 160, 20));
        assertThat(layout.leftBytes()).isEqualTo(4 * 3 * (20 + 16 + 10));
        assertThat(layout.rightBytes()).isEqualTo(4 * 3 * (30 + 36 + 20));
        assertThat(layout.otherBytes()).isEqualTo(4 * (20 + 160));
        assertThat(layout.rightOffset()).isEqualTo(576).isGreaterThanOrEqualTo(layout.leftBytes());
        assertThat(layout.bytes()).isEqualTo(576 + layout.rightBytes() + layout.otherBytes());
        assertThat(layout.matrixElements()).isEqualTo(600 + 576 + 200);
    }

    /** 2 r (n + m) < n m: 10 x 20 with 3 columns just is, with 4 no more. */
    @Test
    void shouldSendAsItIsFromHalfOn() {
        FactorLayout layout = FactorLayout.of(PARAMETERS, 4);
        assertThat(layout.matrices()).extracting(Matrix::offset).containsExactly(0L, 640L);
        FactorLayout none = FactorLayout.of(PARAMETERS, 100);
        assertThat(none.matrices()).isEmpty();
        assertThat(none.leftBytes()).isZero();
        assertThat(none.otherBytes()).isEqualTo(4 * (600 + 20 + 576 + 160 + 200));
    }

    @Test
    void shouldRefuseMoreColumnsThanCanBeOrthonormal() {
        List<Matrix> flat = List.of(new Matrix(0, 2, 9, 0, 0));
        assertThatThrownBy(() -> new FactorLayout(ElementType.FLOAT32, 3, flat, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("orthonormal");
    }
}

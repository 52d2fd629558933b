package dev.medley.onnx.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class PaceTest {
    @Test
    void shouldLeaveThreeQuartersOfACoreToOthers() {
        assertThat(Pace.QUARTER.restNs(1_000)).isEqualTo(3_000);
        assertThat(Pace.QUARTER.restNs(1_000_000_000)).as("of a large model").isEqualTo(50_000_000);
        assertThat(Pace.FULL.restNs(1_000)).isZero();
    }
}

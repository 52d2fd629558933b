package dev.medley.inference.metric;

import static dev.medley.inference.metric.SoundOutputs.areSound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.Signature.TargetKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("unit")
class SoundOutputsTest {
    private static final float INFINITE = Float.POSITIVE_INFINITY;

    @ParameterizedTest
    @EnumSource(TargetKind.class)
    void whatIsNotANumberShouldBeRefusedAndWhatIsFiniteTaken(TargetKind kind) {
        assertThat(areSound(kind, Float.NaN)).isFalse();
        assertThat(areSound(kind, Float.MAX_VALUE)).isTrue();
        assertThat(areSound(kind, -Float.MAX_VALUE)).isTrue();
        assertThat(areSound(kind, 0)).isTrue();
    }

    @Test
    void anInfiniteNumberShouldBeNoPrediction() {
        assertThat(areSound(TargetKind.VALUE, INFINITE)).isFalse();
        assertThat(areSound(TargetKind.VALUE, -INFINITE)).isFalse();
    }

    @Test
    void ofSeveralClassesMinusInfinityShouldRuleOutOneAndNeverAll() {
        assertThat(areSound(TargetKind.CLASSES, 1, -INFINITE, 3)).isTrue();
        assertThat(areSound(TargetKind.CLASSES, -INFINITE, -INFINITE)).isFalse();
        assertThat(areSound(TargetKind.CLASSES, 1, INFINITE, 3)).isFalse();
        assertThat(areSound(TargetKind.CLASSES, 1, 2, Float.NaN)).isFalse();
    }

    @Test
    void oneLogitShouldBeFreeToBeCertain() {
        assertThat(areSound(TargetKind.BINARY, INFINITE)).isTrue();
        assertThat(areSound(TargetKind.BINARY, -INFINITE)).isTrue();
    }

    @Test
    void tokensThatNobodyAsksForShouldNotCount() {
        float nan = Float.NaN;
        float[] outputs = {0, 1, nan, nan, 0, 1, 1, 0};
        EvaluatedBlock asked = Blocks.ofTokens(2, outputs, 0, 3, 1, 0, 1, 0);
        EvaluatedBlock unasked = Blocks.ofTokens(2, outputs, 0, 3, 1, -1, 1, 0);
        assertThat(areSound(TargetKind.TOKENS, asked, 0)).isFalse();
        assertThat(areSound(TargetKind.TOKENS, asked, 1)).isTrue();
        assertThat(areSound(TargetKind.TOKENS, unasked, 0)).isTrue();
    }
}

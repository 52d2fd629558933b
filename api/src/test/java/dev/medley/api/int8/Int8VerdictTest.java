package dev.medley.api.int8;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class Int8VerdictTest {
    private static Int8Verdict judged(boolean higher, double after, long afterNs, double allowed) {
        return Int8Verdict.of("auc", higher, 0.8, after, 1000, afterNs, 256, 704, allowed);
    }

    @Test
    void shouldKeepWhatIsFasterAndNearlyAsGood() {
        Int8Verdict verdict = judged(true, 0.798, 400, 0.005);
        assertThat(verdict.isWorthIt()).isTrue();
        assertThat(verdict.loss()).isBetween(0.0024, 0.0026);
        assertThat(verdict.why())
                .startsWith("int8 is faster and good enough")
                .contains("0 us for 256 rows against 1 us in fp32", "auc 0.79800 against 0.80000")
                .contains("0.250 % worse of 704 samples, 0.500 % allowed");
    }

    @Test
    void shouldRefuseWhatIsNotFaster() {
        assertThat(judged(true, 0.8, 1000, 0.005).isWorthIt()).isFalse();
        assertThat(judged(true, 0.8, 1500, 0.005).why()).startsWith("int8 is not faster here:");
    }

    @Test
    void shouldRefuseWhatLosesTooMuch() {
        assertThat(judged(true, 0.79, 400, 0.005).why()).startsWith("int8 loses too much:");
        assertThat(judged(false, 0.81, 400, 0.005).isWorthIt()).isFalse();
        assertThat(judged(true, 0.7, 2000, 0.005).why()).contains("not faster here and loses");
    }

    @Test
    void shouldTakeWhatIsBetterAndRefuseWhatIsNoNumber() {
        assertThat(judged(false, 0.7, 400, 0).isWorthIt()).isTrue();
        assertThat(judged(false, 0.7, 400, 0).why()).contains("better");
        assertThat(judged(true, Double.NaN, 400, 0.9).isWorthIt()).isFalse();
    }
}

package dev.medley.profile.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.machine.Figure.Certainty;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FigureTest {
    @Test
    void shouldTakeTheMedianAndSayHowFarTheRepeatsAreApart() {
        Figure figure = Figure.measured(new double[] {190, 20, 100, 99, 101}, "test");
        assertThat(figure).isEqualTo(new Figure(100, 0.01, 5, Certainty.MEASURED, "test"));
        assertThat(figure.sureness()).isEqualTo("measured 5 times, ± 1 %");
    }

    @Test
    void shouldNotTrustRepeatsThatDifferOrAreFew() {
        assertThat(Figure.measured(new double[] {50, 100, 150}, "").certainty())
                .isEqualTo(Certainty.NOISY);
        Figure pair = Figure.measured(new double[] {100, 102}, "");
        assertThat(pair.certainty()).isEqualTo(Certainty.NOISY);
        assertThat(pair.value()).isEqualTo(101);
    }

    @Test
    void shouldKeepAnUnknownFigureUnknown() {
        Figure figure = Figure.unknown("no folder").estimated("by a guess");
        assertThat(figure.exists()).isFalse();
        assertThat(figure.certainty()).isEqualTo(Certainty.UNKNOWN);
        assertThat(figure.sureness()).isEqualTo("unknown");
        assertThat(Figure.measured(new double[0], "x").exists()).isFalse();
    }
}

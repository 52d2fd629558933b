package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.NoiseSample;
import dev.medley.training.loop.StepFigures;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class StepReportsTest {
    /**
     * The variance of a step's mean gradient is the same whether its 32 samples are counted or
     * their 4,096 tokens; so a sample's is that of a token by 128, and the batch at which noise is
     * as large as the signal has as many samples as it takes for its tokens.
     */
    @Test
    void noiseShouldBeThatOfSamplesWhereTokensWereCounted() {
        NoiseSample ofTokens = new NoiseSample(0.25, 512);
        NoiseSample ofSamples =
                Objects.requireNonNull(StepReports.noise(figures(4096, 32, ofTokens), 32));
        assertThat(ofSamples.signal()).isEqualTo(0.25);
        assertThat(ofSamples.variance() / 32).isCloseTo(512.0 / 4096, within(1e-12));
        double tokens = ofTokens.variance() / ofTokens.signal();
        double samples = ofSamples.variance() / ofSamples.signal();
        assertThat(samples * 128).isCloseTo(tokens, within(1e-9));
    }

    @Test
    void noiseShouldStayWhereSamplesWereCounted() {
        NoiseSample noise = new NoiseSample(0.25, 512);
        assertThat(StepReports.noise(figures(32, 32, noise), 32)).isEqualTo(noise);
        assertThat(StepReports.noise(figures(32, 32, null), 32)).isNull();
    }

    private static StepFigures figures(double weight, int samples, @Nullable NoiseSample noise) {
        return new StepFigures(
                1,
                1,
                0.5,
                1,
                1,
                weight,
                new StepFigures.Samples(samples, samples),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                List.of(),
                noise);
    }
}

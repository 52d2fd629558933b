package dev.medley.data.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The figures are torchvision's: adjust_brightness, adjust_contrast, adjust_saturation in turn. */
@Tag("unit")
class ColourJitterTest {
    @Test
    void shouldChangeBrightnessContrastAndSaturation() {
        float[] image = {0.2f, 0.9f, 0.4f, 0.5f, 0.6f, 0.1f};
        ColourJitter.change(image, 2, 0.5, drawing(0.9, 0.2, 0.7));
        float[] expected = {0.34915f, 0.92349f, 0.58435f, 0.67149f, 0.81955f, 0.20109f};
        assertThat(image).containsExactly(expected, within(1e-3f));
    }

    @Test
    void shouldLeaveImagesAsTheyAreForFactorsOfOne() {
        float[] image = {0.2f, 0.9f, 0.4f, 0.5f, 0.6f, 0.1f};
        float[] before = image.clone();
        ColourJitter.change(image, 2, 0.5, drawing(0.5, 0.5, 0.5));
        assertThat(image).containsExactly(before, within(1e-6f));
    }

    private static RandomGenerator drawing(double... values) {
        return new RandomGenerator() {
            private int next;

            @Override
            public double nextDouble() {
                return values[next++];
            }

            @Override
            public long nextLong() {
                throw new IllegalStateException("three factors are drawn");
            }
        };
    }
}

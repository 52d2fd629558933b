package dev.medley.data.image;

import java.util.random.RandomGenerator;

/**
 * Changes brightness, then contrast, then the saturation of colours, as torchvision's ColorJitter
 * does in that order. Each is multiplied by a factor from {@code 1 - jitter} to {@code 1 + jitter}.
 *
 * <p>Pixels are from 0 to 1 and stay there. Contrast is the distance to the image's mean grey,
 * saturation that to the grey of the pixel (ITU-R BT.601).
 */
final class ColourJitter {
    private static final float RED = 0.299f;
    private static final float GREEN = 0.587f;
    private static final float BLUE = 0.114f;

    private ColourJitter() {}

    /** Changes an image, channel by channel, of {@code plane} pixels each. */
    static void change(float[] image, int plane, double jitter, RandomGenerator random) {
        float brightness = factor(jitter, random);
        float contrast = factor(jitter, random);
        float saturation = factor(jitter, random);
        double sum = 0;
        for (int i = 0; i < image.length; i++) {
            image[i] = clip(image[i] * brightness);
        }
        for (int i = 0; i < plane; i++) {
            sum += grey(image, plane, i);
        }
        float mean = (float) (sum / plane);
        for (int i = 0; i < image.length; i++) {
            image[i] = clip(mean + (image[i] - mean) * contrast);
        }
        if (image.length == plane) {
            return;
        }
        for (int i = 0; i < plane; i++) {
            float grey = grey(image, plane, i);
            for (int at = i; at < image.length; at += plane) {
                image[at] = clip(grey + (image[at] - grey) * saturation);
            }
        }
    }

    private static float factor(double jitter, RandomGenerator random) {
        return (float) (1 + jitter * (2 * random.nextDouble() - 1));
    }

    private static float grey(float[] image, int plane, int pixel) {
        return image.length == plane
                ? image[pixel]
                : RED * image[pixel]
                        + GREEN * image[plane + pixel]
                        + BLUE * image[2 * plane + pixel];
    }

    private static float clip(float value) {
        return Math.max(0, Math.min(1, value));
    }
}

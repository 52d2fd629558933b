package dev.medley.data.encoding;

import dev.medley.base.job.Signature;
import dev.medley.base.memory.ElementType;
import java.util.List;

/**
 * The encoding of images of one size with a class each. A pixel byte p of channel c becomes {@code
 * (p / 255 - mean[c]) / deviation[c]}; without normalisation the means are 0 and the deviations 1.
 *
 * @param channels 1 for grey, 3 for red, green and blue
 * @param height pixels
 * @param width pixels
 * @param classes their names, in index order
 * @param mean of each channel over the training set
 * @param deviation of each channel over the training set
 */
public record ImageEncoding(
        int channels,
        int height,
        int width,
        List<String> classes,
        List<Double> mean,
        List<Double> deviation)
        implements Encoding {
    public ImageEncoding {
        classes = List.copyOf(classes);
        mean = List.copyOf(mean);
        deviation = List.copyOf(deviation);
    }

    @Override
    public Signature signature() {
        Signature.Input image =
                new Signature.Input(
                        "image", ElementType.FLOAT32, List.of(channels, height, width), List.of());
        return new Signature(List.of(image), Targets.ofClasses(classes));
    }

    @Override
    public String reads() {
        return "images";
    }

    /** Bytes of one stored image. */
    public int pixels() {
        return channels * height * width;
    }
}

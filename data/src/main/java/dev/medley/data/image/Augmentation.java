package dev.medley.data.image;

import dev.medley.base.job.DataSpec.ImageSpec;

/**
 * Random changes of training images. What happens to a sample is a function of (seed, epoch,
 * sample), so that it does not matter which worker reads it.
 *
 * @param flip whether half of the images are mirrored left to right
 * @param shift most pixels by which an image is moved each way, over black
 * @param jitter most by which brightness, contrast and saturation change, as a share of them
 * @param cutout side of a square that is wiped out, in pixels
 * @param seed of the run
 */
public record Augmentation(boolean flip, int shift, double jitter, int cutout, long seed) {
    /** Images as they are. */
    public static final Augmentation NONE = new Augmentation(false, 0, 0, 0, 0);

    /** What a job asks of its training images. */
    public static Augmentation of(ImageSpec image, long seed) {
        return new Augmentation(image.flip(), image.shift(), image.jitter(), image.cutout(), seed);
    }

    /** Whether anything is changed. */
    boolean isActive() {
        return flip || shift > 0 || jitter > 0 || cutout > 0;
    }
}

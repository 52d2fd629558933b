package dev.medley.data.image;

/**
 * Random changes of training images. What happens to a sample is a function of (seed, epoch,
 * sample), so that it does not matter which worker reads it.
 *
 * @param flip whether half of the images are mirrored left to right
 * @param shift most pixels by which an image is moved each way, over black
 * @param seed of the run
 */
public record Augmentation(boolean flip, int shift, long seed) {
    /** Images as they are. */
    public static final Augmentation NONE = new Augmentation(false, 0, 0);

    /** Whether anything is changed. */
    boolean isActive() {
        return flip || shift > 0;
    }
}

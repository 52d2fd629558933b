package dev.medley.store.image;

import java.util.List;

/** Which files of a folder are images. */
public final class ImageFiles {
    /** Name patterns. */
    public static final List<String> PATTERNS =
            List.of("*.png", "*.PNG", "*.jpg", "*.JPG", "*.jpeg", "*.JPEG");

    private ImageFiles() {}
}

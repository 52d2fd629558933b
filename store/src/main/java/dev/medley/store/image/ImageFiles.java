package dev.medley.store.image;

import java.nio.file.Path;
import java.util.List;

/** Which files of a folder are images, and of which class. */
public final class ImageFiles {
    /** Name patterns. */
    public static final List<String> PATTERNS =
            List.of("*.png", "*.PNG", "*.jpg", "*.JPG", "*.jpeg", "*.JPEG");

    private ImageFiles() {}

    /** The name of the folder that a file lies in, which is its class. */
    public static String className(Path file) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        Path name = folder == null ? null : folder.getFileName();
        return name == null ? "" : name.toString();
    }
}

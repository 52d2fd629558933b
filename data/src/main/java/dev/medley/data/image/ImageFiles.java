package dev.medley.data.image;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Tells which files of a folder are images, and of which class. */
public final class ImageFiles {
    /** Name patterns of those that can be read. */
    public static final List<String> PATTERNS = List.of("*.png", "*.jpg", "*.jpeg", "*.bmp");

    /** What the patterns stand for, for people. */
    public static final String READ = "PNG, JPEG and BMP";

    private static final Set<String> ENDINGS = Set.of("png", "jpg", "jpeg", "bmp");
    private static final Set<String> OTHER_ENDINGS =
            Set.of(
                    "webp", "gif", "tif", "tiff", "heic", "heif", "avif", "jxl", "jp2", "jfif",
                    "ico", "svg", "psd", "ppm", "pgm", "dng", "cr2", "nef");

    private ImageFiles() {}

    /** Whether a file with that ending, in lower case, is an image, readable or not. */
    public static boolean isImage(String ending) {
        return ENDINGS.contains(ending) || OTHER_ENDINGS.contains(ending);
    }

    /** The name of the folder that a file lies in, which is its class. */
    public static String className(Path file) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        Path name = folder == null ? null : folder.getFileName();
        return name == null ? "" : name.toString();
    }
}

package dev.medley.data.image;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.ImageSpec;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The raster that every image of a set is converted to.
 *
 * @param channels 1 for grey, 3 for colour
 * @param size of the images
 * @param resizes whether images of another size are resized, or an error
 */
record ImageRaster(int channels, PixelSize size, boolean resizes) {
    private static final int SAMPLED_CLASSES = 16;

    /** Grey images that were saved in colour differ by so much between red, green and blue. */
    private static final int NEARLY_GREY = 32;

    /** A decoded image, or why there is none. */
    static final class Decoded {
        private final byte @Nullable [] bytes;
        private final @Nullable String trouble;
        private final boolean losesColour;

        private Decoded(byte @Nullable [] bytes, @Nullable String trouble, boolean losesColour) {
            this.bytes = bytes;
            this.trouble = trouble;
            this.losesColour = losesColour;
        }

        byte @Nullable [] bytes() {
            return bytes;
        }

        @Nullable String trouble() {
            return trouble;
        }

        /** Whether the file has colours that the raster has not. */
        boolean losesColour() {
            return losesColour;
        }
    }

    /** From the first image, and colour if the first image of any of the first folders has it. */
    static ImageRaster of(List<Path> files, ImageSpec spec) {
        Map<Path, Path> firsts = new LinkedHashMap<>();
        for (Path file : files) {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null && firsts.size() < SAMPLED_CLASSES) {
                firsts.putIfAbsent(folder, file);
            }
        }
        int channels = 1;
        String trouble = "";
        PixelSize size = new PixelSize(spec.height(), spec.width());
        for (Path file : firsts.values()) {
            ImageReading reading = ImageReading.of(file);
            BufferedImage image = reading.image();
            if (image == null) {
                trouble = trouble.isEmpty() ? file + " " + reading.trouble() : trouble;
                continue;
            }
            channels = Math.max(channels, image.getColorModel().getNumColorComponents());
            if (size.height() == 0 || size.width() == 0) {
                size = PixelSize.of(spec, image.getHeight(), image.getWidth());
            }
        }
        ConfigException.check(
                size.pixels() > 0,
                "%s: cannot be decoded as an image, nor can its neighbours: %s",
                files.get(0),
                trouble);
        return new ImageRaster(channels == 1 ? 1 : 3, size, spec.height() > 0 && spec.width() > 0);
    }

    int bytes() {
        return channels * size.pixels();
    }

    Decoded decode(Path file) {
        return decode(ImageReading.of(file));
    }

    Decoded decode(ImageReading reading) {
        BufferedImage image = reading.image();
        if (image == null) {
            return new Decoded(null, reading.trouble(), false);
        }
        if (!resizes && (image.getHeight() != size.height() || image.getWidth() != size.width())) {
            return new Decoded(
                    null,
                    ("is %d wide and %d high, other images are %d wide and %d high: set"
                                    + " data.image.width and height to resize")
                            .formatted(
                                    image.getWidth(),
                                    image.getHeight(),
                                    size.width(),
                                    size.height()),
                    false);
        }
        return planes(image);
    }

    private Decoded planes(BufferedImage image) {
        byte[] bytes = new byte[bytes()];
        if (channels == 1 && image.getType() == BufferedImage.TYPE_BYTE_GRAY) {
            BufferedImage grey = size.scaled(image, BufferedImage.TYPE_BYTE_GRAY);
            int[] values =
                    grey.getRaster().getSamples(0, 0, size.width(), size.height(), 0, (int[]) null);
            for (int i = 0; i < values.length; i++) {
                bytes[i] = (byte) values[i];
            }
            return new Decoded(bytes, null, false);
        }
        int colour = 0;
        BufferedImage rgb = size.scaled(image, BufferedImage.TYPE_INT_RGB);
        int[] pixels = rgb.getRGB(0, 0, size.width(), size.height(), null, 0, size.width());
        for (int i = 0; i < pixels.length; i++) {
            int red = pixels[i] >> 16 & 0xFF;
            int green = pixels[i] >> 8 & 0xFF;
            int blue = pixels[i] & 0xFF;
            if (channels == 1) {
                bytes[i] = (byte) Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
                int most = Math.max(red, Math.max(green, blue));
                colour = Math.max(colour, most - Math.min(red, Math.min(green, blue)));
            } else {
                bytes[i] = (byte) red;
                bytes[pixels.length + i] = (byte) green;
                bytes[2 * pixels.length + i] = (byte) blue;
            }
        }
        return new Decoded(bytes, null, colour > NEARLY_GREY);
    }
}

package dev.medley.data.image;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The result of decoding one image file. Its size is checked before anything is allocated for it,
 * since some bytes can claim a picture that no memory holds, and large ones are decoded one at a
 * time.
 *
 * @param image or null
 * @param trouble why there is none; null where there is one
 */
record ImageReading(@Nullable BufferedImage image, @Nullable String trouble) {
    private static final long MOST_PIXELS = 100_000_000;
    private static final long LARGE_PIXELS = 8_000_000;
    private static final Object ONE_LARGE = new Object();

    static ImageReading of(Path file) {
        return of(() -> ImageIO.createImageInputStream(file.toFile()));
    }

    /** Of the bytes of a file. */
    static ImageReading of(byte[] file) {
        return of(() -> new MemoryCacheImageInputStream(new ByteArrayInputStream(file)));
    }

    @FunctionalInterface
    private interface Source {
        @Nullable ImageInputStream open() throws IOException;
    }

    private static ImageReading of(Source source) {
        try (ImageInputStream in = source.open()) {
            Iterator<ImageReader> readers =
                    in == null ? Collections.emptyIterator() : ImageIO.getImageReaders(in);
            if (!readers.hasNext()) {
                return undecodable();
            }
            ImageReader reader = readers.next();
            try {
                reader.setInput(in, true, true);
                return of(reader);
            } finally {
                reader.dispose();
            }
        } catch (IOException | RuntimeException e) {
            // ImageIO's readers throw unchecked exceptions on some broken files.
            return undecodable();
        }
    }

    private static ImageReading of(ImageReader reader) throws IOException {
        long pixels = (long) reader.getWidth(0) * reader.getHeight(0);
        if (pixels > MOST_PIXELS) {
            return new ImageReading(
                    null,
                    String.format(
                            Locale.ROOT,
                            "says that it is %,d wide and %,d high, and %,d pixels are the most:"
                                    + " shrink, remove or replace it",
                            reader.getWidth(0),
                            reader.getHeight(0),
                            MOST_PIXELS));
        }
        if (pixels < LARGE_PIXELS) {
            return new ImageReading(reader.read(0), null);
        }
        synchronized (ONE_LARGE) {
            return new ImageReading(reader.read(0), null);
        }
    }

    private static ImageReading undecodable() {
        return new ImageReading(
                null, "cannot be decoded as a " + ImageFiles.READ + " image: remove or replace it");
    }
}

package dev.medley.data.image;

import dev.medley.data.encoding.ImageEncoding;
import java.awt.image.BufferedImage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Makes the records, which {@link ImageDecoder} describes, of images that come one by one, as those
 * of a DataFrame do. The record of an image is the one that a folder with the same file gives.
 *
 * <p>Thread: one.
 */
public final class ImageRecord {
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final ImageRaster raster;

    /**
     * For images of {@code encoding}.
     *
     * @param resizes whether images of another size are resized, or refused
     */
    public ImageRecord(ImageEncoding encoding, boolean resizes) {
        PixelSize size = new PixelSize(encoding.height(), encoding.width());
        raster = new ImageRaster(encoding.channels(), size, resizes);
    }

    /** An image, or why there is none. */
    public record Opened(@Nullable BufferedImage image, @Nullable String trouble) {}

    /** Opens the bytes of a file; what is claimed to be huge is not. */
    public static Opened open(byte[] file) {
        ImageReading reading = ImageReading.of(file);
        return new Opened(reading.image(), reading.trouble());
    }

    /** Bytes of one record. */
    public int bytes() {
        return raster.bytes() + ImageDecoder.CLASS_BYTES;
    }

    /** Puts the record of an image and the number of its class; what is wrong with it, or null. */
    public @Nullable String put(Opened opened, int code, byte[] into, int at) {
        ImageRaster.Decoded decoded =
                raster.decode(new ImageReading(opened.image(), opened.trouble()));
        byte[] pixels = decoded.bytes();
        if (pixels == null) {
            return decoded.trouble();
        }
        System.arraycopy(pixels, 0, into, at, pixels.length);
        INTS.set(into, at + pixels.length, code);
        return null;
    }
}

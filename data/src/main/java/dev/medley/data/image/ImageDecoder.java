package dev.medley.data.image;

import dev.medley.base.Seeds;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.Purpose;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.data.shard.SampleKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Decodes stored bytes to floats through a table of 256 values a channel, then augments the image.
 * A record is the image, channel by channel and row by row, and its class as an int.
 */
public final class ImageDecoder implements RecordDecoder {
    static final int CLASS_BYTES = Integer.BYTES;

    private static final int BYTE_VALUES = 256;
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** What bytes are before they are normalised. */
    private static final float[] BRIGHTNESS = new float[BYTE_VALUES];

    static {
        for (int v = 0; v < BYTE_VALUES; v++) {
            BRIGHTNESS[v] = v / 255f;
        }
    }

    private final ImageEncoding encoding;
    private final Augmentation augmentation;
    private final boolean isBinary;
    private final float[][] values;
    private final float[] image;

    /** For images of {@code encoding}. */
    public ImageDecoder(ImageEncoding encoding, Augmentation augmentation) {
        this.encoding = encoding;
        this.augmentation = augmentation;
        this.isBinary = encoding.signature().target().kind() == TargetKind.BINARY;
        this.image = new float[encoding.pixels()];
        this.values = new float[encoding.channels()][BYTE_VALUES];
        for (int c = 0; c < encoding.channels(); c++) {
            double mean = encoding.mean().get(c);
            double deviation = encoding.deviation().get(c);
            for (int v = 0; v < BYTE_VALUES; v++) {
                values[c][v] = (float) ((v / 255.0 - mean) / deviation);
            }
        }
    }

    @Override
    public void decode(byte[] block, int offset, SampleKey sample, BatchBuffers batch, int row) {
        if (augmentation.isActive()) {
            augmented(block, offset, sample);
        } else {
            plain(block, offset);
        }
        batch.floats(0).put(row * image.length, image);
        int index = (int) INTS.get(block, offset + image.length);
        if (isBinary) {
            batch.floats(batch.target()).put(row, index);
        } else {
            batch.longs(batch.target()).put(row, index);
        }
    }

    private void plain(byte[] block, int offset) {
        int plane = encoding.height() * encoding.width();
        for (int c = 0; c < encoding.channels(); c++) {
            float[] value = values[c];
            int start = c * plane;
            for (int i = start; i < start + plane; i++) {
                image[i] = value[block[offset + i] & 0xFF];
            }
        }
    }

    private void augmented(byte[] block, int offset, SampleKey sample) {
        RandomGenerator random =
                Seeds.generator(
                        augmentation.seed(), Purpose.AUGMENT, sample.epoch(), sample.index());
        boolean mirrored = augmentation.flip() && random.nextBoolean();
        int most = augmentation.shift();
        int down = most == 0 ? 0 : random.nextInt(-most, most + 1);
        int right = most == 0 ? 0 : random.nextInt(-most, most + 1);
        for (int c = 0; c < encoding.channels(); c++) {
            for (int y = 0; y < encoding.height(); y++) {
                row(block, offset, c, y, y - down, right, mirrored);
            }
        }
        if (augmentation.jitter() > 0) {
            ColourJitter.change(
                    image, encoding.height() * encoding.width(), augmentation.jitter(), random);
            normalise();
        }
        if (augmentation.cutout() > 0) {
            cutOut(random);
        }
    }

    /** What the tables do to bytes, to pixels that are no bytes any more. */
    private void normalise() {
        int plane = encoding.height() * encoding.width();
        for (int c = 0; c < encoding.channels(); c++) {
            double mean = encoding.mean().get(c);
            double deviation = encoding.deviation().get(c);
            for (int i = c * plane; i < (c + 1) * plane; i++) {
                image[i] = (float) ((image[i] - mean) / deviation);
            }
        }
    }

    /**
     * Sets a square around any pixel to 0, as far as it lies in the image (DeVries, Taylor 2017).
     */
    private void cutOut(RandomGenerator random) {
        int top = random.nextInt(encoding.height()) - augmentation.cutout() / 2;
        int left = random.nextInt(encoding.width()) - augmentation.cutout() / 2;
        int from = Math.max(0, left);
        int to = Math.min(encoding.width(), left + augmentation.cutout());
        int bottom = Math.min(encoding.height(), top + augmentation.cutout());
        for (int c = 0; c < encoding.channels(); c++) {
            for (int y = Math.max(0, top); y < bottom; y++) {
                int row = (c * encoding.height() + y) * encoding.width();
                Arrays.fill(image, row + from, row + Math.max(from, to), 0);
            }
        }
    }

    private void row(
            byte[] block, int offset, int c, int y, int sourceY, int right, boolean mirrored) {
        float[] value = augmentation.jitter() > 0 ? BRIGHTNESS : values[c];
        int width = encoding.width();
        int out = (c * encoding.height() + y) * width;
        int in = offset + (c * encoding.height() + sourceY) * width;
        boolean inside = sourceY >= 0 && sourceY < encoding.height();
        for (int x = 0; x < width; x++) {
            int shifted = x - right;
            int sourceX = mirrored ? width - 1 - shifted : shifted;
            boolean isPixel = inside && shifted >= 0 && shifted < width;
            image[out + x] = value[isPixel ? block[in + sourceX] & 0xFF : 0];
        }
    }
}

package dev.medley.data.image;

import dev.medley.data.shard.ShardFile;
import dev.medley.data.shard.ShardWriter;
import dev.medley.data.shard.Workplace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Writes images of both splits and counts what training needs: classes and pixel values. */
final class ImageWriter implements AutoCloseable {
    private static final String TRAIN = "train.bin";
    private static final String VALIDATION = "validation.bin";

    private final int pixels;
    private final ShardWriter train;
    private final ShardWriter validation;
    private final PixelCounts counts;
    private final long[] classCounts;

    ImageWriter(int channels, int pixels, int classes, Workplace place) throws IOException {
        this.pixels = pixels;
        this.train = new ShardWriter(place.file(TRAIN), place.budget());
        this.validation = new ShardWriter(place.file(VALIDATION), place.budget());
        this.counts = new PixelCounts(channels);
        this.classCounts = new long[classes];
    }

    void train(byte[] image, int index) throws IOException {
        put(train, image, index);
        classCounts[index]++;
        counts.add(image, 0, pixels);
    }

    void validation(byte[] image, int index) throws IOException {
        put(validation, image, index);
    }

    ShardFile trainFile() {
        return ShardFile.ofRecords(TRAIN, recordBytes(), train.bytes() / recordBytes());
    }

    ShardFile validationFile() {
        return ShardFile.ofRecords(VALIDATION, recordBytes(), validation.bytes() / recordBytes());
    }

    List<Long> classCounts() {
        return Arrays.stream(classCounts).boxed().toList();
    }

    /** Counts of the pixels of the training images. */
    PixelCounts counts() {
        return counts;
    }

    @Override
    public void close() throws IOException {
        try (train;
                validation) {
            // Both are closed, the second also when closing the first fails.
        }
    }

    private void put(ShardWriter writer, byte[] image, int index) throws IOException {
        if (recordBytes() <= 1 << 16) {
            ByteBuffer room = writer.room(recordBytes());
            room.put(image, 0, pixels).putInt(index);
        } else {
            writer.write(image, 0, pixels);
            writer.room(Integer.BYTES).putInt(index);
        }
    }

    private int recordBytes() {
        return pixels + ImageDecoder.CLASS_BYTES;
    }
}

package dev.medley.data.image;

import dev.medley.data.shard.ShardFile;
import dev.medley.data.shard.ShardWriter;
import dev.medley.data.shard.Workplace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Writes images of both splits and counts what training needs: classes and pixel values. */
final class ImageWriter implements AutoCloseable {
    private static final String TRAIN = "train.bin";
    private static final String VALIDATION = "validation.bin";

    private final int channels;
    private final int pixels;
    private final ShardWriter train;
    private final ShardWriter validation;
    private final long[][] histogram;
    private final long[] classCounts;

    ImageWriter(int channels, int pixels, int classes, Workplace place) throws IOException {
        this.channels = channels;
        this.pixels = pixels;
        this.train = new ShardWriter(place.file(TRAIN), place.budget());
        this.validation = new ShardWriter(place.file(VALIDATION), place.budget());
        this.histogram = new long[channels][256];
        this.classCounts = new long[classes];
    }

    void train(byte[] image, int index) throws IOException {
        put(train, image, index);
        classCounts[index]++;
        int plane = pixels / channels;
        for (int c = 0; c < channels; c++) {
            long[] counts = histogram[c];
            for (int i = c * plane; i < (c + 1) * plane; i++) {
                counts[image[i] & 0xFF]++;
            }
        }
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
        List<Long> counts = new ArrayList<>();
        for (long count : classCounts) {
            counts.add(count);
        }
        return counts;
    }

    /** Mean of each channel over the training images, in [0, 1]; exact, as it comes from counts. */
    List<Double> means() {
        List<Double> means = new ArrayList<>();
        for (long[] counts : histogram) {
            double sum = 0;
            long n = 0;
            for (int v = 0; v < counts.length; v++) {
                sum += (double) v * counts[v];
                n += counts[v];
            }
            means.add(n == 0 ? 0 : sum / n / 255);
        }
        return means;
    }

    /** Deviation of each channel over the training images; 1 for a channel of one value. */
    List<Double> deviations() {
        List<Double> means = means();
        List<Double> deviations = new ArrayList<>();
        for (int c = 0; c < channels; c++) {
            double sum = 0;
            long n = 0;
            for (int v = 0; v < histogram[c].length; v++) {
                double away = v / 255.0 - means.get(c);
                sum += away * away * histogram[c][v];
                n += histogram[c][v];
            }
            double deviation = n == 0 ? 0 : Math.sqrt(sum / n);
            deviations.add(deviation == 0 ? 1 : deviation);
        }
        return deviations;
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

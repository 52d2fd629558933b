package dev.medley.spark.rows;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.image.ImageRecord;
import dev.medley.data.image.PixelCounts;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.Serializable;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * Finds the classes and the size of a DataFrame's images, and reads its pixels. The size is that of
 * the first image where the job names none, and colours are kept if the first image of any of the
 * first classes has them, as it is of folders.
 *
 * <p>Thread: the caller's.
 */
final class FrameImages {
    /** Classes whose first image is asked for its colours. */
    private static final int SAMPLED_CLASSES = 16;

    /** Fields of Spark's own images, and the places of some. */
    static final int FIELDS = 6;

    static final int HEIGHT = 1;
    static final int WIDTH = 2;
    static final int CHANNELS = 3;
    static final int DATA = 5;

    private static final int MOST_CLASSES = 1_000;
    private static final int BYTE = 0xFF;

    private FrameImages() {}

    /** An image of a class: which one it is, and what it looks like. */
    private record First(int partition, long row, int height, int width, int components)
            implements Serializable {
        First earlier(First other) {
            boolean isMine =
                    partition < other.partition
                            || (partition == other.partition && row <= other.row);
            return isMine ? this : other;
        }
    }

    /** What a partition has. */
    private record Part(TreeMap<String, First> first, @Nullable String trouble)
            implements Serializable {}

    /** Looks through a partition; decodes the first image of each class alone. */
    private record Look(FrameColumns columns)
            implements Function2<Integer, Iterator<InternalRow>, Iterator<Part>> {
        @Override
        public Iterator<Part> call(Integer partition, Iterator<InternalRow> rows) {
            FrameReader reader = new FrameReader(columns, List.of(), List.of());
            TreeMap<String, First> first = new TreeMap<>();
            RowValues.Inside inside = new RowValues.Inside();
            for (long row = 0; rows.hasNext(); row++) {
                RowValues values = inside.of(rows.next());
                if (!reader.hasLabel(values)) {
                    return failed(Encode.NO_LABEL);
                }
                String label = reader.labelText(values);
                if (first.containsKey(label)) {
                    continue;
                }
                if (first.size() == MOST_CLASSES) {
                    return failed(
                            "labelCol: has more than 1,000 different labels: predict another"
                                    + " column");
                }
                ImageRecord.Opened opened = reader.image(values);
                BufferedImage image = opened.image();
                if (image == null) {
                    return failed(trouble(String.valueOf(opened.trouble())));
                }
                first.put(
                        label,
                        new First(
                                partition,
                                row,
                                image.getHeight(),
                                image.getWidth(),
                                image.getColorModel().getNumColorComponents()));
            }
            return List.of(new Part(first, null)).iterator();
        }

        private static Iterator<Part> failed(String trouble) {
            return List.of(new Part(new TreeMap<>(), trouble)).iterator();
        }
    }

    /**
     * The encoding but for what is counted while rows are encoded; one pass over the rows.
     *
     * @throws ConfigException if nothing can be learnt from them
     */
    static ImageEncoding look(JavaRDD<InternalRow> rows, FrameColumns columns, DataSpec asked) {
        TreeMap<String, First> first = new TreeMap<>();
        for (Part part : rows.mapPartitionsWithIndex(new Look(columns), false).collect()) {
            check(part.trouble() == null, "%s", part.trouble());
            part.first().forEach((label, of) -> first.merge(label, of, First::earlier));
        }
        check(!first.isEmpty(), "the DataFrame has no rows: nothing can be learnt");
        check(
                first.size() > 1,
                "labelCol=%s: all images are of one class (%s): two are needed at least",
                asked.label(),
                first.firstKey());
        First earliest = first.values().stream().reduce(First::earlier).orElseThrow();
        boolean hasColours =
                first.values().stream().limit(SAMPLED_CLASSES).anyMatch(f -> f.components() > 1);
        ImageSpec image = asked.image();
        int channels = hasColours ? 3 : 1;
        return new ImageEncoding(
                channels,
                image.height() > 0 ? image.height() : earliest.height(),
                image.width() > 0 ? image.width() : earliest.width(),
                List.copyOf(first.keySet()),
                Collections.nCopies(channels, 0.0),
                Collections.nCopies(channels, 1.0));
    }

    /** The encoding with what was counted of the rows to learn from. */
    static ImageEncoding counted(ImageEncoding found, DataSpec asked, List<EncodedPart> parts) {
        if (!asked.image().normalise()) {
            return found;
        }
        PixelCounts counts = new PixelCounts(found.channels());
        parts.forEach(part -> counts.add(part.counts()));
        return new ImageEncoding(
                found.channels(),
                found.height(),
                found.width(),
                found.classes(),
                counts.means(),
                counts.deviations());
    }

    /** Whether images of another size are resized: where the job names the size. */
    static boolean resizes(DataSpec asked) {
        return asked.image().height() > 0 && asked.image().width() > 0;
    }

    /** What is wrong with an image, as a sentence about the DataFrame. */
    static String trouble(String ofImage) {
        return "an image %s".formatted(ofImage.replace("remove or replace it", "filter it out"));
    }

    /**
     * The picture of pixels as Spark's images have them: rows from above, blue, green and red of
     * each pixel, then its opacity.
     */
    static ImageRecord.Opened opened(int height, int width, int channels, byte[] data) {
        boolean isSound =
                height > 0
                        && width > 0
                        && (channels == 1 || channels == 3 || channels == 4)
                        && (long) height * width * channels == data.length;
        if (!isSound) {
            return new ImageRecord.Opened(
                    null,
                    "of %d x %d pixels and %d channels has %,d bytes: remove or replace it"
                            .formatted(width, height, channels, data.length));
        }
        if (channels == 4) {
            BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
            for (int i = 0; i < width * height; i++) {
                int at = 4 * i;
                int argb =
                        ((data[at + 3] & BYTE) << 24)
                                | ((data[at + 2] & BYTE) << 16)
                                | ((data[at + 1] & BYTE) << 8)
                                | (data[at] & BYTE);
                image.setRGB(i % width, i / width, argb);
            }
            return new ImageRecord.Opened(image, null);
        }
        BufferedImage image =
                new BufferedImage(
                        width,
                        height,
                        channels == 1
                                ? BufferedImage.TYPE_BYTE_GRAY
                                : BufferedImage.TYPE_3BYTE_BGR);
        byte[] into = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
        System.arraycopy(data, 0, into, 0, data.length);
        return new ImageRecord.Opened(image, null);
    }
}

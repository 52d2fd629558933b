package dev.medley.spark.rows;

import dev.medley.base.Json;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.image.ImageRecord;
import dev.medley.data.image.PixelCounts;
import dev.medley.data.table.RowEncoder;
import dev.medley.data.table.labelled.TextRecord;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries an encoding to executors, as the JSON that models have it in, and makes the records of
 * rows there.
 *
 * @param json of the encoding
 * @param resizes whether images of another size are resized, or refused
 */
record RecordMaking(String json, boolean resizes) implements Serializable {
    RecordMaking(Encoding encoding, boolean resizes) {
        this(Json.line(encoding), resizes);
    }

    /** One for the thread that asks. */
    Maker open() {
        Encoding encoding = Json.parse(json, Encoding.class);
        if (encoding instanceof LabelledTextEncoding texts) {
            return new OfTexts(texts);
        }
        return encoding instanceof ImageEncoding images
                ? new OfImages(images, resizes)
                : new OfTable((TableEncoding) encoding);
    }

    /**
     * Makes the records of rows.
     *
     * <p>Thread: one.
     */
    abstract static class Maker {
        private final Encoding encoding;
        private final int recordBytes;
        private final Target target;

        private Maker(Encoding encoding, int recordBytes) {
            this.encoding = encoding;
            this.recordBytes = recordBytes;
            this.target = encoding.signature().target();
        }

        final Encoding encoding() {
            return encoding;
        }

        final int recordBytes() {
            return recordBytes;
        }

        final boolean hasLabel() {
            return target.kind() != TargetKind.NONE;
        }

        /** Names of the columns that are read as numbers. */
        List<String> numbers() {
            return List.of();
        }

        /** Names of the columns that are read as texts. */
        List<String> texts() {
            return List.of();
        }

        /** What rows are labelled with; empty where it is a number, or there is no label. */
        List<String> classes() {
            return target.labels();
        }

        boolean isRanked() {
            return false;
        }

        /** Puts the record of a row that was read; what is wrong with it, or null. */
        abstract @Nullable String put(
                FrameReader reader, RowValues row, Labelled labelled, byte[] into, int at);

        /** Says of a record that it is one to learn from. */
        void learnt(byte[] record, int at) {}

        /** What was counted of those; empty if nothing. */
        List<Long> counts() {
            return List.of();
        }

        /** A maker of records with room for all that came; null where this one has it. */
        @Nullable Maker roomy() {
            return null;
        }
    }

    /**
     * What a row has beside its inputs.
     *
     * @param label the number of the class, or the number itself; anything where there is none
     * @param weight what it counts
     * @param isBeginning whether a group begins with it
     */
    record Labelled(double label, double weight, boolean isBeginning) {
        /** Of a row that is scored. */
        static final Labelled NONE = new Labelled(0, 1, false);
    }

    private static final class OfTable extends Maker {
        private final TableEncoding encoding;
        private final RowEncoder encoder;

        OfTable(TableEncoding encoding) {
            this(encoding, new RowEncoder(encoding));
        }

        private OfTable(TableEncoding encoding, RowEncoder encoder) {
            super(encoding, encoder.recordBytes());
            this.encoding = encoding;
            this.encoder = encoder;
        }

        @Override
        List<String> numbers() {
            return encoder.numbers();
        }

        @Override
        List<String> texts() {
            return encoder.texts();
        }

        @Override
        List<String> classes() {
            return encoding.label().classes();
        }

        @Override
        boolean isRanked() {
            return encoding.label().group() != null;
        }

        @Override
        @Nullable String put(
                FrameReader reader, RowValues row, Labelled labelled, byte[] into, int at) {
            encoder.encode(
                    reader.numbers, reader.texts, labelled.label(), labelled.weight(), into, at);
            if (isRanked() && labelled.isBeginning()) {
                encoder.beginGroup(into, at);
            }
            return null;
        }

        @Override
        @Nullable Maker roomy() {
            return encoder.roomy().slots() > encoding.slots() ? new OfTable(encoder.roomy()) : null;
        }
    }

    private static final class OfTexts extends Maker {
        private final List<String> column;
        private final TextRecord record;

        OfTexts(LabelledTextEncoding encoding) {
            this(encoding, new TextRecord(encoding));
        }

        private OfTexts(LabelledTextEncoding encoding, TextRecord record) {
            super(encoding, record.bytes());
            this.column = List.of(encoding.column());
            this.record = record;
        }

        @Override
        List<String> texts() {
            return column;
        }

        @Override
        @Nullable String put(
                FrameReader reader, RowValues row, Labelled labelled, byte[] into, int at) {
            String text = reader.texts[0];
            byte[] made = record.of(text == null ? "" : text, (int) labelled.label());
            System.arraycopy(made, 0, into, at, made.length);
            return null;
        }
    }

    private static final class OfImages extends Maker {
        private final ImageEncoding encoding;
        private final ImageRecord record;
        private final PixelCounts counts;

        OfImages(ImageEncoding encoding, boolean resizes) {
            this(encoding, new ImageRecord(encoding, resizes));
        }

        private OfImages(ImageEncoding encoding, ImageRecord record) {
            super(encoding, record.bytes());
            this.encoding = encoding;
            this.record = record;
            this.counts = new PixelCounts(encoding.channels());
        }

        @Override
        List<String> classes() {
            return encoding.classes();
        }

        @Override
        @Nullable String put(
                FrameReader reader, RowValues row, Labelled labelled, byte[] into, int at) {
            String trouble = record.put(reader.image(row), (int) labelled.label(), into, at);
            return trouble == null ? null : FrameImages.trouble(trouble);
        }

        @Override
        void learnt(byte[] bytes, int at) {
            counts.add(bytes, at, encoding.pixels());
        }

        @Override
        List<Long> counts() {
            return counts.numbers();
        }
    }
}

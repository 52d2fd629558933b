package dev.medley.data.image;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.ShardFile;
import dev.medley.data.shard.SplitSequence;
import dev.medley.data.shard.Workplace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Converts IDX images to records. Images stream through; of the labels one byte a sample is in
 * memory.
 */
public final class IdxIngest {
    private final DataSpec spec;
    private final Workplace place;
    private final List<String> sentences = new ArrayList<>();

    /** For the images that {@code spec} describes. */
    public IdxIngest(DataSpec spec, Workplace place) {
        this.spec = spec;
        this.place = place;
    }

    /** Writes both splits and fits on the training images. */
    public Ingested ingest(IdxPair.Splits splits) throws IOException {
        byte[] labels = labels(splits.train());
        int classes = classCount(labels);
        place.progress().classes(names(classes));
        try (IdxFile images = images(splits.train(), labels.length)) {
            PixelSize size = PixelSize.of(spec.image(), images.length(1), images.length(2));
            ImageWriter writer = copied(splits, images, labels, size, classes);
            return finish(encoding(size, names(classes), writer), writer);
        }
    }

    /**
     * Writes both splits, the same images in each as {@link #ingest} would, with an encoding that
     * was fitted before.
     */
    public Ingested ingestAs(ImageEncoding encoding, IdxPair.Splits splits) throws IOException {
        requireGrey(encoding, splits.train());
        requireNumbers(encoding, splits.train());
        int classes = encoding.classes().size();
        byte[] labels = labels(splits.train());
        for (int i = 0; i < labels.length; i++) {
            requireKnown(labels[i] & 0xFF, classes, splits.train(), i);
        }
        try (IdxFile images = images(splits.train(), labels.length)) {
            PixelSize size = new PixelSize(encoding.height(), encoding.width());
            return finish(encoding, copied(splits, images, labels, size, classes));
        }
    }

    /** Both splits written, and the writer closed. */
    private ImageWriter copied(
            IdxPair.Splits splits, IdxFile images, byte[] labels, PixelSize size, int classes)
            throws IOException {
        ImageWriter writer = new ImageWriter(1, size.pixels(), classes, place);
        try (writer) {
            SplitSequence split = split(labels, classes, splits.validation() != null);
            copy(images, labels, size, split, writer);
            if (splits.validation() != null) {
                copyValidation(
                        splits.validation(), labels(splits.validation()), size, classes, writer);
            }
        }
        return writer;
    }

    private static List<String> names(int classes) {
        return IntStream.range(0, classes).mapToObj(Integer::toString).toList();
    }

    private static void requireGrey(ImageEncoding encoding, IdxPair pair) {
        check(
                encoding.channels() == 1,
                "%s: the model reads colour images, IDX files are grey",
                pair.images());
    }

    private static void requireNumbers(ImageEncoding encoding, IdxPair pair) {
        check(
                encoding.classes().equals(names(encoding.classes().size())),
                "%s: the classes of IDX files are numbers from 0, but the model was trained on %s",
                pair.labels(),
                encoding.classes());
    }

    private static void requireKnown(int label, int classes, IdxPair pair, int image) {
        check(
                label < classes,
                "%s: image %d has class %d, the training images have classes 0 to %d",
                pair.labels(),
                image,
                label,
                classes - 1);
    }

    /** Writes new images, all of them for validation, for a model that is trained. */
    public Ingested encode(ImageEncoding encoding, IdxPair pair) throws IOException {
        requireGrey(encoding, pair);
        requireNumbers(encoding, pair);
        return encode(encoding, pair, labels(pair));
    }

    /** The same of what a prediction needs: the labels are not read. */
    public Ingested encodeInputs(ImageEncoding encoding, IdxPair pair) throws IOException {
        requireGrey(encoding, pair);
        return encode(encoding, pair, null);
    }

    private Ingested encode(ImageEncoding encoding, IdxPair pair, byte @Nullable [] labels)
            throws IOException {
        PixelSize size = new PixelSize(encoding.height(), encoding.width());
        try (ImageWriter writer =
                new ImageWriter(1, size.pixels(), encoding.classes().size(), place)) {
            copyValidation(pair, labels, size, encoding.classes().size(), writer);
            ShardFile validation = writer.validationFile();
            return new Ingested(
                    encoding,
                    writer.trainFile(),
                    validation,
                    new Ingested.Findings(
                            0,
                            labels != null,
                            List.of(),
                            List.of(sentence(validation.samples(), "to predict", encoding))));
        }
    }

    private Ingested finish(ImageEncoding encoding, ImageWriter writer) {
        ShardFile train = writer.trainFile();
        ShardFile validation = writer.validationFile();
        sentences.add(
                0,
                sentence(train.samples(), "to train", encoding)
                        + String.format(Locale.ROOT, ", %,d to validate", validation.samples()));
        List<Long> counts = writer.classCounts();
        sentences.add(
                String.format(
                        Locale.ROOT,
                        "%d classes, from %,d to %,d training images each",
                        counts.size(),
                        Collections.min(counts),
                        Collections.max(counts)));
        return new Ingested(
                encoding, train, validation, new Ingested.Findings(0, true, counts, sentences));
    }

    private static String sentence(long samples, String use, ImageEncoding encoding) {
        return String.format(
                Locale.ROOT,
                "IDX images, %d x %d grey: %,d %s",
                encoding.height(),
                encoding.width(),
                samples,
                use);
    }

    private ImageEncoding encoding(PixelSize size, List<String> names, ImageWriter writer) {
        boolean normalise = spec.image().normalise();
        return new ImageEncoding(
                1,
                size.height(),
                size.width(),
                names,
                normalise ? writer.counts().means() : List.of(0.0),
                normalise ? writer.counts().deviations() : List.of(1.0));
    }

    private SplitSequence split(byte[] labels, int classes, boolean validationGiven) {
        if (validationGiven) {
            return SplitSequence.none(labels.length);
        }
        DataSpec.SplitSpec split = spec.split();
        check(
                split.kind() != SplitKind.STRATIFIED || split.by() == null,
                "data.split.by=%s: images have no columns; leave it out to stratify by class",
                split.by());
        long[] counts = {labels.length};
        if (split.kind() == SplitKind.STRATIFIED) {
            counts = new long[classes];
            for (byte label : labels) {
                counts[label & 0xFF]++;
            }
        }
        return new SplitSequence(split.kind(), split.validationFraction(), counts, place.seed());
    }

    private void copy(
            IdxFile images, byte[] labels, PixelSize size, SplitSequence split, ImageWriter to)
            throws IOException {
        byte[] image = new byte[images.length(1) * images.length(2)];
        for (int i = 0; i < labels.length; i++) {
            images.read(image);
            byte[] sized = size.fit(image, images.length(1), images.length(2));
            int label = labels[i] & 0xFF;
            if (split.nextIsValidation(label)) {
                to.validation(sized, label);
            } else {
                to.train(sized, label);
            }
            if (i % 4096 == 0) {
                place.progress().at("reading " + images.file(), i, labels.length);
            }
        }
    }

    /** Without labels all images are of class 0, which nobody reads. */
    private void copyValidation(
            IdxPair pair, byte @Nullable [] labels, PixelSize size, int classes, ImageWriter to)
            throws IOException {
        try (IdxFile images =
                labels == null ? IdxFile.open(pair.images(), 3) : images(pair, labels.length)) {
            byte[] image = new byte[images.length(1) * images.length(2)];
            for (int i = 0; i < images.length(0); i++) {
                int label = labels == null ? 0 : labels[i] & 0xFF;
                requireKnown(label, classes, pair, i);
                images.read(image);
                to.validation(size.fit(image, images.length(1), images.length(2)), label);
            }
        }
    }

    private static byte[] labels(IdxPair pair) throws IOException {
        try (IdxFile file = IdxFile.open(pair.labels(), 1)) {
            return file.read(file.length(0));
        }
    }

    private static IdxFile images(IdxPair pair, int labels) throws IOException {
        IdxFile images = IdxFile.open(pair.images(), 3);
        if (images.length(0) != labels) {
            images.close();
            check(
                    false,
                    "%s has %,d images, %s has %,d labels: they do not belong together",
                    pair.images(),
                    images.length(0),
                    pair.labels(),
                    labels);
        }
        return images;
    }

    private int classCount(byte[] labels) {
        int most = 0;
        boolean several = false;
        for (byte label : labels) {
            most = Math.max(most, label & 0xFF);
            several |= label != labels[0];
        }
        check(
                several,
                "all %,d training images have class %d: two classes at least are needed",
                labels.length,
                labels[0] & 0xFF);
        return most + 1;
    }
}

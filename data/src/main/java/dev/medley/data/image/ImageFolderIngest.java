package dev.medley.data.image;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.ShardFile;
import dev.medley.data.shard.SplitSequence;
import dev.medley.data.shard.Workplace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Converts folders of PNG, JPEG and BMP files to records; the folder that a file lies in is its
 * class. Files are decoded on all cores, some hundred at a time, and written in order.
 */
public final class ImageFolderIngest {
    private static final int AT_ONCE = 256;
    private static final String MODEL_IS_GREY = "the model reads grey images";
    private static final String FIRST_ARE_GREY =
            "all are read in grey, as the first image of each folder is; let one in colour be the"
                    + " first to keep colours";

    private final DataSpec spec;
    private final Workplace place;
    private final List<String> sentences = new ArrayList<>();
    private long badFiles;
    private long greyed;
    private @Nullable Path firstGreyed;

    /** For the images that {@code spec} describes. */
    public ImageFolderIngest(DataSpec spec, Workplace place) {
        this.spec = spec;
        this.place = place;
    }

    /** Where a decoded image goes. */
    @FunctionalInterface
    private interface Sink {
        void put(byte @Nullable [] image, int index) throws IOException;
    }

    /** Writes both splits and fits on the training images. */
    public Ingested ingest(List<Path> train, List<Path> validation) throws IOException {
        List<String> classes = classes(train);
        check(
                classes.size() > 1,
                "all %,d images lie in one folder (%s): a folder for each class is needed, two at"
                        + " least",
                train.size(),
                classes);
        place.progress().classes(classes);
        ImageRaster raster = ImageRaster.of(train, spec.image());
        ImageWriter writer = decoded(train, validation, classes, raster);
        return finish(encoding(raster, classes, writer), writer, FIRST_ARE_GREY);
    }

    /**
     * Writes both splits, the same files in each as {@link #ingest} would, with an encoding that
     * was fitted before.
     */
    public Ingested ingestAs(ImageEncoding encoding, List<Path> train, List<Path> validation)
            throws IOException {
        train.forEach(file -> classOf(file, encoding.classes()));
        ImageWriter writer = decoded(train, validation, encoding.classes(), raster(encoding));
        return finish(encoding, writer, MODEL_IS_GREY);
    }

    /** Both splits written, and the writer closed. */
    private ImageWriter decoded(
            List<Path> train, List<Path> validation, List<String> classes, ImageRaster raster)
            throws IOException {
        ImageWriter writer =
                new ImageWriter(raster.channels(), raster.bytes(), classes.size(), place);
        try (writer) {
            List<String> strata = classes(train);
            SplitSequence split = split(train, strata, !validation.isEmpty());
            decode(
                    train,
                    classes,
                    raster,
                    (image, index) -> {
                        int stratum = strata.indexOf(classes.get(index));
                        boolean held = split.nextIsValidation(stratum);
                        if (image != null && held) {
                            writer.validation(image, index);
                        } else if (image != null) {
                            writer.train(image, index);
                        }
                    });
            decode(validation, classes, raster, validationSink(writer));
        }
        return writer;
    }

    private static ImageRaster raster(ImageEncoding encoding) {
        PixelSize size = new PixelSize(encoding.height(), encoding.width());
        return new ImageRaster(encoding.channels(), size, true);
    }

    /**
     * Writes new images, all of them for validation, for a model that is trained. If their folders
     * are not all classes of the model, they are images without labels.
     */
    public Ingested encode(ImageEncoding encoding, List<Path> files) throws IOException {
        boolean targets = encoding.classes().containsAll(classes(files));
        ImageRaster raster = raster(encoding);
        ImageWriter writer =
                new ImageWriter(
                        raster.channels(), raster.bytes(), encoding.classes().size(), place);
        try (writer) {
            List<String> classes = targets ? encoding.classes() : List.of();
            decode(files, classes, raster, validationSink(writer));
        }
        ShardFile validation = writer.validationFile();
        return new Ingested(
                encoding,
                writer.trainFile(),
                validation,
                new Ingested.Findings(
                        badFiles,
                        targets,
                        List.of(),
                        List.of(
                                String.format(
                                        Locale.ROOT,
                                        "images: %,d to predict%s",
                                        validation.samples(),
                                        targets ? "" : ", without classes")),
                        warnings(badFiles > 0, MODEL_IS_GREY)));
    }

    private List<String> warnings(boolean isOfBadFiles, String whyGrey) {
        List<String> warnings = new ArrayList<>();
        if (isOfBadFiles) {
            warnings.add(leftOut());
        }
        if (greyed > 0) {
            warnings.add(
                    String.format(
                            Locale.ROOT,
                            "%,d images have colours that are lost, the first of them %s: %s",
                            greyed,
                            firstGreyed,
                            whyGrey));
        }
        return warnings;
    }

    private String leftOut() {
        return badFiles + " files left out: they cannot be decoded";
    }

    private static Sink validationSink(ImageWriter writer) {
        return (image, index) -> {
            if (image != null) {
                writer.validation(image, index);
            }
        };
    }

    private ImageEncoding encoding(ImageRaster raster, List<String> classes, ImageWriter writer) {
        boolean normalise = spec.image().normalise();
        return new ImageEncoding(
                raster.channels(),
                raster.size().height(),
                raster.size().width(),
                classes,
                normalise ? writer.counts().means() : Collections.nCopies(raster.channels(), 0.0),
                normalise
                        ? writer.counts().deviations()
                        : Collections.nCopies(raster.channels(), 1.0));
    }

    private Ingested finish(ImageEncoding encoding, ImageWriter writer, String whyGrey) {
        ShardFile train = writer.trainFile();
        ShardFile validation = writer.validationFile();
        sentences.add(
                0,
                String.format(
                        Locale.ROOT,
                        "images, %d x %d %s, %d classes by folder: %,d to train, %,d to validate",
                        encoding.height(),
                        encoding.width(),
                        encoding.channels() == 1 ? "grey" : "colour",
                        encoding.classes().size(),
                        train.samples(),
                        validation.samples()));
        if (badFiles > 0) {
            sentences.add(leftOut());
        }
        return new Ingested(
                encoding,
                train,
                validation,
                new Ingested.Findings(
                        badFiles, true, writer.classCounts(), sentences, warnings(false, whyGrey)));
    }

    private SplitSequence split(List<Path> files, List<String> classes, boolean validationGiven) {
        if (validationGiven) {
            return SplitSequence.none(files.size());
        }
        DataSpec.SplitSpec split = spec.split();
        long[] counts = {files.size()};
        if (split.kind() == SplitKind.STRATIFIED) {
            counts = new long[classes.size()];
            for (Path file : files) {
                counts[classes.indexOf(ImageFiles.className(file))]++;
            }
        }
        return new SplitSequence(split.kind(), split.validationFraction(), counts, place.seed());
    }

    private void decode(List<Path> files, List<String> classes, ImageRaster raster, Sink sink)
            throws IOException {
        boolean skip = spec.table().badRows() == BadRows.SKIP;
        for (int from = 0; from < files.size(); from += AT_ONCE) {
            place.progress().at("decoding images", from, files.size());
            List<Path> some = files.subList(from, Math.min(files.size(), from + AT_ONCE));
            List<ImageRaster.Decoded> decoded = some.parallelStream().map(raster::decode).toList();
            for (int i = 0; i < some.size(); i++) {
                String trouble = decoded.get(i).trouble();
                check(trouble == null || skip, "%s: %s", some.get(i), trouble);
                badFiles += trouble == null ? 0 : 1;
                if (decoded.get(i).losesColour()) {
                    greyed++;
                    firstGreyed = firstGreyed == null ? some.get(i) : firstGreyed;
                }
                sink.put(decoded.get(i).bytes(), classOf(some.get(i), classes));
            }
        }
    }

    private static int classOf(Path file, List<String> classes) {
        if (classes.isEmpty()) {
            return 0;
        }
        int index = classes.indexOf(ImageFiles.className(file));
        check(
                index >= 0,
                "%s: folder '%s' is not one of the training classes %s",
                file,
                ImageFiles.className(file),
                classes);
        return index;
    }

    private static List<String> classes(List<Path> files) {
        TreeSet<String> names = new TreeSet<>();
        files.forEach(file -> names.add(ImageFiles.className(file)));
        return List.copyOf(names);
    }
}

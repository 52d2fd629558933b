package dev.medley.data.image;

import static dev.medley.base.ConfigException.check;

import dev.medley.data.shard.InputFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The images and the labels of one split.
 *
 * @param images the IDX file of images
 * @param labels the IDX file of their classes
 */
public record IdxPair(Path images, Path labels) {
    private static final List<String> HELD_OUT = List.of("t10k", "test", "val");

    /** Both splits of a data set; there may be no validation files. */
    public record Splits(IdxPair train, @Nullable IdxPair validation) {
        /** The files to train on, images first. */
        public List<Path> trainFiles() {
            return List.of(train.images, train.labels);
        }

        /** The files to validate on, images first; empty if none are given. */
        public List<Path> validationFiles() {
            return validation == null ? List.of() : List.of(validation.images, validation.labels);
        }
    }

    /**
     * Finds the files by name: a folder with {@code train-images-idx3-ubyte} and its like (what
     * begins with t10k, test or val is for validation), an image file beside its label file, or
     * both files in any order.
     */
    public static Splits find(List<String> train, List<String> validation) {
        List<IdxPair> trainPairs = pairs(train);
        if (!validation.isEmpty()) {
            return new Splits(single(train, trainPairs), single(validation, pairs(validation)));
        }
        List<IdxPair> heldOut = trainPairs.stream().filter(IdxPair::isHeldOut).toList();
        List<IdxPair> others = trainPairs.stream().filter(p -> !p.isHeldOut()).toList();
        return others.isEmpty()
                ? new Splits(single(train, heldOut), null)
                : new Splits(
                        single(train, others), heldOut.isEmpty() ? null : single(train, heldOut));
    }

    /**
     * What the files hold.
     *
     * @param images how many
     * @param height pixels
     * @param width pixels
     * @param classCounts images of every class
     */
    public record Summary(long images, int height, int width, List<Long> classCounts) {
        public Summary {
            classCounts = List.copyOf(classCounts);
        }

        /** For people. */
        public String toText() {
            return String.format(
                    Locale.ROOT,
                    "%,d images of %d x %d, %d classes with %s",
                    images,
                    height,
                    width,
                    classCounts.size(),
                    classCounts);
        }
    }

    /** Reads the labels and the header of the images. */
    public Summary summary() {
        try (IdxFile image = IdxFile.open(images, 3);
                IdxFile label = IdxFile.open(labels, 1)) {
            byte[] classes = label.read(label.length(0));
            List<Long> counts = new ArrayList<>();
            for (byte c : classes) {
                while (counts.size() <= (c & 0xFF)) {
                    counts.add(0L);
                }
                counts.set(c & 0xFF, counts.get(c & 0xFF) + 1);
            }
            return new Summary(image.length(0), image.length(1), image.length(2), counts);
        } catch (IOException e) {
            throw InputFiles.broken(images, e);
        }
    }

    private static IdxPair single(List<String> entries, List<IdxPair> pairs) {
        check(
                pairs.size() == 1,
                "%s: %d pairs of IDX images and labels found, one is needed: name the two files",
                entries,
                pairs.size());
        return pairs.get(0);
    }

    private static List<IdxPair> pairs(List<String> entries) {
        List<Path> files =
                InputFiles.find(entries, List.of("*idx?-ubyte*", "*idx?.ubyte*", "*.idx*"));
        List<Path> labels = files.stream().filter(IdxPair::isLabels).toList();
        List<Path> images = files.stream().filter(f -> !isLabels(f)).toList();
        if (images.size() == 1 && labels.size() == 1) {
            return List.of(new IdxPair(images.get(0), labels.get(0)));
        }
        List<IdxPair> pairs = new ArrayList<>();
        for (Path image : images) {
            Path label = image.resolveSibling(labelName(image));
            check(
                    Files.exists(label),
                    "%s: its labels are missing, expected %s beside it",
                    image,
                    label.getFileName());
            pairs.add(new IdxPair(image, label));
        }
        return pairs;
    }

    private static boolean isLabels(Path file) {
        String name = file.getFileName().toString();
        return name.contains("label") || name.contains("idx1");
    }

    private static String labelName(Path images) {
        return images.getFileName()
                .toString()
                .replace("images", "labels")
                .replace("image", "label")
                .replace("idx3", "idx1");
    }

    private boolean isHeldOut() {
        String name = images.getFileName().toString().toLowerCase(Locale.ROOT);
        return HELD_OUT.stream().anyMatch(name::startsWith);
    }
}

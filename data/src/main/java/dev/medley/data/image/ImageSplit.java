package dev.medley.data.image;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A split that the folders of a set give themselves: {@code train/} beside {@code val/}, each with
 * a folder for each class. A folder that is named so and holds images itself is a class.
 *
 * @param train files to learn from
 * @param validation files to validate on; empty where the folders give no split
 * @param notes for people
 */
public record ImageSplit(List<Path> train, List<Path> validation, List<String> notes) {
    /** What a folder of that name is for. */
    private enum Part {
        TRAIN(List.of("train", "training", "train_set", "trainset")),
        VALIDATION(
                List.of(
                        "val",
                        "valid",
                        "validation",
                        "val_set",
                        "valset",
                        "dev",
                        "eval",
                        "evaluation")),
        TEST(List.of("test", "testing", "test_set", "testset", "held_out", "heldout"));

        private final List<String> names;

        Part(List<String> names) {
            this.names = names;
        }

        private static @Nullable Part of(Path name) {
            String plain = name.toString().toLowerCase(Locale.ROOT).replace('-', '_');
            for (Part part : values()) {
                if (part.names.contains(plain)) {
                    return part;
                }
            }
            return null;
        }
    }

    public ImageSplit {
        train = List.copyOf(train);
        validation = List.copyOf(validation);
        notes = List.copyOf(notes);
    }

    /**
     * Looks for a split in the images below a folder.
     *
     * @throws ConfigException if some of them lie below such folders and others do not, or if those
     *     folders hold images where their classes should be
     */
    public static ImageSplit below(Path folder, List<Path> images) {
        Map<Part, List<Path>> parts = new TreeMap<>();
        List<Path> others = new ArrayList<>();
        List<Path> named = new ArrayList<>(); // In a class that is called as a part is.
        for (Path image : images) {
            Path below = folder.relativize(image);
            Part part = partOf(below);
            if (part != null) {
                parts.computeIfAbsent(part, p -> new ArrayList<>()).add(image);
            } else {
                others.add(image);
                if (isNamedAsPart(below)) {
                    named.add(image);
                }
            }
        }
        check(
                named.isEmpty() || named.size() < images.size() || areOneClass(named),
                "%s: train and validation folders hold images themselves (%s), and a class is the"
                        + " folder that an image lies in: put a folder for each class into each",
                folder,
                named.stream().findFirst().orElse(folder));
        if (!parts.containsKey(Part.TRAIN) || parts.size() == 1) {
            return new ImageSplit(images, List.of(), List.of());
        }
        check(
                others.isEmpty(),
                "%s: folders for training and validation lie beside others, such as that of %s:"
                        + " name both, data.train and data.validation",
                folder,
                others.stream().findFirst().orElse(folder));
        return of(parts);
    }

    private static ImageSplit of(Map<Part, List<Path>> parts) {
        List<Path> train = parts.getOrDefault(Part.TRAIN, List.of());
        List<Path> validation = parts.getOrDefault(Part.VALIDATION, List.of());
        List<Path> test = parts.getOrDefault(Part.TEST, List.of());
        List<String> notes = new ArrayList<>();
        if (validation.isEmpty()) {
            validation = test;
            notes.add("the folders give the split: images of the test folder are for validation");
        } else {
            notes.add("the folders give the split");
            if (!test.isEmpty()) {
                notes.add(
                        "%,d images of the test folder are left out: for medley evaluate"
                                .formatted(test.size()));
            }
        }
        return new ImageSplit(train, validation, notes);
    }

    /** By the first such folder that is above that of the class. */
    private static @Nullable Part partOf(Path below) {
        for (int i = 0; i + 2 < below.getNameCount(); i++) {
            Part part = Part.of(below.getName(i));
            if (part != null) {
                return part;
            }
        }
        return null;
    }

    private static boolean isNamedAsPart(Path below) {
        int folders = below.getNameCount() - 1;
        return folders > 0 && Part.of(below.getName(folders - 1)) != null;
    }

    private static boolean areOneClass(List<Path> named) {
        return named.stream().map(ImageFiles::className).distinct().count() == 1;
    }
}

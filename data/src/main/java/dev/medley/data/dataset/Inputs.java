package dev.medley.data.dataset;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.data.image.IdxPair;
import dev.medley.data.image.ImageFiles;
import dev.medley.data.image.ImageSplit;
import dev.medley.data.shard.InputFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The files of a data set and their format.
 *
 * @param format never AUTO
 * @param train files to learn from; for IDX images, then labels
 * @param validation files of a given split; empty if there is none
 * @param notes what of the folders is not read, and what their names say, for people
 */
record Inputs(DataFormat format, List<Path> train, List<Path> validation, List<String> notes) {
    private static final Map<DataFormat, List<String>> IN_FOLDERS =
            Map.of(
                    DataFormat.CSV,
                    List.of("*.csv", "*.csv.gz", "*.tsv", "*.tsv.gz", "*.data", "*.data.gz"),
                    DataFormat.PARQUET,
                    List.of("*.parquet", "*.pq"),
                    DataFormat.JSONL,
                    List.of("*.jsonl", "*.jsonl.gz", "*.ndjson", "*.ndjson.gz", "*.json"),
                    DataFormat.LIBSVM,
                    List.of("*"));
    private static final List<String> ANY = List.of("*");
    private static final int LOOK_BYTES = 4096;
    private static final int LEAST_BYTES = 4;
    private static final Pattern PAIRS =
            Pattern.compile(
                    "(#.*\\R)*[-+.0-9eE]+([ \t]+[0-9]+:[-+.0-9eE]+)+[ \t]*\\R.*", Pattern.DOTALL);
    private static final int MOST_KINDS = 5;

    /**
     * Finds files and format, and a split where folders of images give one; a ConfigException names
     * what is missing.
     */
    static Inputs find(DataSpec spec) {
        Inputs all = findAll(spec);
        boolean isOneEntry = spec.train().size() == 1 && spec.validation().isEmpty();
        return all.format == DataFormat.IMAGES && isOneEntry
                ? all.splitBelow(Path.of(spec.train().get(0)))
                : all;
    }

    /** The images of a folder, with the split that its folders give. */
    static Inputs ofImages(Path folder) {
        List<String> entry = List.of(folder.toString());
        return of(DataFormat.IMAGES, entry, List.of(), ImageFiles.PATTERNS).splitBelow(folder);
    }

    /** The texts of a folder, or a file. */
    static Inputs ofTexts(Path path) {
        return ofTexts(List.of(path.toString()), List.of(), ANY);
    }

    /** Where the job does not say what of folders is read, texts are. */
    private static Inputs ofTexts(
            List<String> train, List<String> validation, List<String> include) {
        FileLists all = FileLists.find(train, validation, include);
        FileLists lists = include.equals(ANY) ? all.texts(train, validation) : all;
        return new Inputs(DataFormat.TEXT, lists.train(), lists.validation(), lists.notes());
    }

    private Inputs splitBelow(Path folder) {
        if (!Files.isDirectory(folder)) {
            return this;
        }
        ImageSplit split = ImageSplit.below(folder, train);
        List<String> all = new ArrayList<>(split.notes());
        all.addAll(notes);
        return new Inputs(format, split.train(), split.validation(), all);
    }

    /** The same for files that are all to be encoded, whatever their folders are called. */
    static Inputs findAll(DataSpec spec) {
        DataFormat format = spec.format() == DataFormat.AUTO ? detect(spec) : spec.format();
        return switch (format) {
            case IDX -> {
                IdxPair.Splits splits = IdxPair.find(spec.train(), spec.validation());
                yield new Inputs(format, splits.trainFiles(), splits.validationFiles(), List.of());
            }
            case TEXT -> ofTexts(spec.train(), spec.validation(), spec.text().include());
            case IMAGES -> of(format, spec, ImageFiles.PATTERNS);
            case CSV, PARQUET, JSONL, LIBSVM ->
                    of(format, spec, IN_FOLDERS.getOrDefault(format, List.of()));
            default -> throw new IllegalStateException("no files for " + format);
        };
    }

    /** All files. */
    List<Path> all() {
        List<Path> all = new ArrayList<>(train);
        all.addAll(validation);
        return all;
    }

    /** Whether a file is one of these, under whatever name. */
    boolean isOf(Path file) {
        return Files.exists(file) && all().stream().anyMatch(input -> isSame(input, file));
    }

    private static boolean isSame(Path a, Path b) {
        try {
            return Files.isSameFile(a, b);
        } catch (IOException e) {
            return false; // Not there any more, or no file at all: nothing to lose.
        }
    }

    private static Inputs of(DataFormat format, DataSpec spec, List<String> include) {
        return of(format, spec.train(), spec.validation(), include);
    }

    private static Inputs of(
            DataFormat format, List<String> train, List<String> validation, List<String> include) {
        List<String> entries = new ArrayList<>(train);
        entries.addAll(validation);
        FileLists lists = FileLists.find(train, validation, include);
        List<String> notes = new ArrayList<>(lists.notes());
        notes.addAll(passedOver(format, entries, include));
        return new Inputs(format, lists.train(), lists.validation(), notes);
    }

    /** What lies in the folders and is not read, by ending. */
    private static List<String> passedOver(
            DataFormat format, List<String> entries, List<String> include) {
        Map<String, Integer> counts = InputFiles.passedOver(entries, include);
        if (counts.isEmpty()) {
            return List.of();
        }
        String kinds =
                counts.entrySet().stream()
                        .limit(MOST_KINDS)
                        .map(
                                kind ->
                                        String.format(
                                                Locale.ROOT,
                                                "%,d %s",
                                                kind.getValue(),
                                                kind.getKey()))
                        .collect(Collectors.joining(", "));
        return List.of(
                "files left out: %s%s%s"
                        .formatted(
                                kinds,
                                counts.size() > MOST_KINDS ? " and of other kinds" : "",
                                format == DataFormat.IMAGES
                                        ? "; " + ImageFiles.READ + " are read"
                                        : ""));
    }

    /** The format of the data's first entry; a label means a table. */
    private static DataFormat detect(DataSpec spec) {
        if (!spec.text().include().equals(ANY)) {
            return DataFormat.TEXT;
        }
        String entry = spec.train().get(0);
        DataFormat found = detect(entry);
        return spec.label() != null && !found.isTable() ? DataFormat.CSV : found;
    }

    /** The format that most names tell, or else the first bytes; text if neither does. */
    static DataFormat detect(String entry) {
        List<Path> files = InputFiles.find(List.of(entry), ANY);
        Map<DataFormat, Integer> votes = new EnumMap<>(DataFormat.class);
        for (Path file : files) {
            DataFormat byName = byName(file.getFileName().toString());
            if (byName != null) {
                votes.merge(byName, 1, Integer::sum);
            }
        }
        Optional<DataFormat> most =
                votes.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
        if (most.isPresent()) {
            return most.get();
        }
        DataFormat byBytes = byBytes(files.get(0));
        boolean isJson = lowerName(files.get(0)).endsWith(".json");
        return byBytes != null ? byBytes : isJson ? DataFormat.JSONL : DataFormat.TEXT;
    }

    private static String lowerName(Path file) {
        return plain(file.getFileName().toString());
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
    }

    private static @Nullable DataFormat byName(String name) {
        String lower = plain(name);
        if (lower.matches(".*idx[13][-.]ubyte")) {
            return DataFormat.IDX;
        }
        int dot = lower.lastIndexOf('.');
        String ending = dot < 0 ? "" : lower.substring(dot + 1);
        return switch (ending) {
            case "csv", "tsv", "data" -> DataFormat.CSV;
            case "parquet", "pq" -> DataFormat.PARQUET;
            case "jsonl", "ndjson" -> DataFormat.JSONL;
            case "libsvm", "svm", "svmlight" -> DataFormat.LIBSVM;
            case "txt", "md", "java", "py" -> DataFormat.TEXT;
            default -> ImageFiles.isImage(ending) ? DataFormat.IMAGES : null;
        };
    }

    private static @Nullable DataFormat byBytes(Path file) {
        try (InputStream in = InputFiles.open(file)) {
            byte[] b = in.readNBytes(LOOK_BYTES);
            if (b.length < LEAST_BYTES) {
                return null;
            } else if (b[0] == 'P' && b[1] == 'A' && b[2] == 'R' && b[3] == '1') {
                return DataFormat.PARQUET;
            } else if (b[0] == 0 && b[1] == 0 && b[2] == 8) {
                return DataFormat.IDX;
            }
            String text = new String(b, StandardCharsets.UTF_8);
            return b[0] == '{'
                    ? DataFormat.JSONL
                    : PAIRS.matcher(text).lookingAt() ? DataFormat.LIBSVM : null;
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
    }
}

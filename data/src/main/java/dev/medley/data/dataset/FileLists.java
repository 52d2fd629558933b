package dev.medley.data.dataset;

import dev.medley.base.ConfigException;
import dev.medley.data.shard.InputFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The files to train on and the files to validate on, each listed once. What a folder or a pattern
 * finds for training is left out there if it is validated on.
 *
 * @param train files to learn from
 * @param validation files to judge by; may be empty
 * @param notes which files were passed over, for people
 */
record FileLists(List<Path> train, List<Path> validation, List<String> notes) {
    /**
     * Finds what the entries name.
     *
     * @throws ConfigException if an entry names nothing, or nothing is left to learn from
     */
    static FileLists find(List<String> train, List<String> validation, List<String> include) {
        List<Path> learnt = InputFiles.find(train, include);
        List<Path> judged = InputFiles.find(validation, include);
        if (train.size() == 1 && validation.isEmpty()) {
            return new FileLists(learnt, judged, List.of());
        }
        List<String> notes = new ArrayList<>();
        Map<Path, Path> judgedFiles = once(judged, "data.validation", notes);
        Map<Path, Path> learntFiles = once(learnt, "data.train", notes);
        Set<Path> both = new LinkedHashSet<>(learntFiles.keySet());
        both.retainAll(judgedFiles.keySet());
        Set<Path> named = new LinkedHashSet<>(both);
        named.retainAll(named(train));
        both.removeAll(named);
        learntFiles.keySet().removeAll(both);
        ConfigException.check(
                !learntFiles.isEmpty(),
                "data.train: all of its files are in data.validation, too: nothing is left to learn"
                        + " from");
        if (!both.isEmpty()) {
            notes.add(
                    String.format(
                            Locale.ROOT,
                            "%,d files of data.train are in data.validation, too: they are judged"
                                    + " by and not learnt from",
                            both.size()));
        }
        named.forEach(file -> notes.add(learntAndJudged(file)));
        return new FileLists(
                List.copyOf(learntFiles.values()),
                List.copyOf(judgedFiles.values()),
                List.copyOf(notes));
    }

    /**
     * Without what lies in folders and is no text. Where no text is left of one of the lists, its
     * files are meant all the same.
     */
    FileLists texts(List<String> trainEntries, List<String> validationEntries) {
        Set<Path> others = new LinkedHashSet<>(others(train, trainEntries));
        others.addAll(others(validation, validationEntries));
        if (others.isEmpty()) {
            return this;
        }
        List<String> all = new ArrayList<>(notes);
        all.add(
                String.format(
                        Locale.ROOT,
                        "%,d files of the folders are left out, since they are no texts, the first"
                                + " of them %s: data.text.include says which are read",
                        others.size(),
                        others.iterator().next()));
        return new FileLists(
                train.stream().filter(file -> !others.contains(file)).toList(),
                validation.stream().filter(file -> !others.contains(file)).toList(),
                List.copyOf(all));
    }

    private static List<Path> others(List<Path> files, List<String> entries) {
        Set<Path> given = entries.stream().map(Path::of).collect(Collectors.toSet());
        List<Path> folders = given.stream().filter(Files::isDirectory).toList();
        List<Path> others =
                files.stream()
                        .filter(file -> folders.stream().anyMatch(file::startsWith))
                        .filter(file -> !given.contains(file) && !InputFiles.isText(file))
                        .toList();
        return others.size() == files.size() ? List.of() : others;
    }

    private static String learntAndJudged(Path file) {
        return "both data.train and data.validation name "
                + file
                + ": it is judged by what was learnt, and its figures say nothing of new data";
    }

    /** Whoever writes a file's own name into both lists means it; a folder just holds both. */
    private static Set<Path> named(List<String> entries) {
        Set<Path> named = new HashSet<>();
        for (String entry : entries) {
            Path file = Path.of(entry);
            if (Files.isRegularFile(file)) {
                named.add(real(file));
            }
        }
        return named;
    }

    private static Map<Path, Path> once(List<Path> files, String option, List<String> notes) {
        Map<Path, Path> byRealPath = new LinkedHashMap<>();
        Set<Path> twice = new HashSet<>();
        for (Path file : files) {
            if (byRealPath.putIfAbsent(real(file), file) != null) {
                twice.add(file);
            }
        }
        if (!twice.isEmpty()) {
            notes.add(
                    String.format(
                            Locale.ROOT,
                            "%,d files are named more than once in %s and read once: %s",
                            twice.size(),
                            option,
                            twice.iterator().next()));
        }
        return byRealPath;
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
    }
}

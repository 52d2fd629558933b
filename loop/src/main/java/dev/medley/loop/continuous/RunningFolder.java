package dev.medley.loop.continuous;

import dev.medley.loop.stage.LoopPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds its way among the files of one running model.
 *
 * @param path with all of them
 */
record RunningFolder(Path path) {
    /** Which rows the version had learnt that the running model began with. */
    static final String BASE = "base.parquet";

    private static final String STATE = "state.safetensors";

    static RunningFolder of(LoopPlace place, long generation) {
        return new RunningFolder(place.continuous().resolve(Long.toString(generation)));
    }

    /** The number of the last model that began; 0 for none. */
    static long last(LoopPlace place) throws IOException {
        if (!Files.isDirectory(place.continuous())) {
            return 0;
        }
        try (Stream<Path> there = Files.list(place.continuous())) {
            return there.map(folder -> folder.getFileName().toString())
                    .filter(name -> name.matches("\\d{1,18}"))
                    .map(Long::valueOf)
                    .filter(number -> Files.exists(of(place, number).state()))
                    .max(Comparator.naturalOrder())
                    .orElse(0L);
        }
    }

    /** Folders of models that began before one, the first one first. */
    static List<Path> before(LoopPlace place, long generation) throws IOException {
        if (!Files.isDirectory(place.continuous())) {
            return List.of();
        }
        try (Stream<Path> there = Files.list(place.continuous())) {
            return there.filter(folder -> folder.getFileName().toString().matches("\\d{1,18}"))
                    .filter(folder -> Long.parseLong(folder.getFileName().toString()) < generation)
                    .sorted()
                    .toList();
        }
    }

    /** Parameters, moments and position. */
    Path state() {
        return path.resolve(STATE);
    }

    /** Columns that a batch is learnt from. */
    Path rows(int batch) {
        return path.resolve("batch-%d.rows.parquet".formatted(batch));
    }

    /** Keys and times of a batch. */
    Path keys(int batch) {
        return path.resolve("batch-%d.keys.parquet".formatted(batch));
    }

    /** Says that the files of a batch are whole. */
    Path planned(int batch) {
        return path.resolve("batch-%d.json".formatted(batch));
    }

    /** The name of the file with what was answered for a batch before it was learnt. */
    static String answers(int batch) {
        return "batch-%d.answers.parquet".formatted(batch);
    }

    /** The name of that of all batches until one, since a publication. */
    static String log(int batch) {
        return "log-%d.parquet".formatted(batch);
    }

    /** The model as it was published behind a batch. */
    Path published(int batch) {
        return path.resolve("published-%d".formatted(batch));
    }

    List<Path> files(List<String> names) {
        return names.stream().map(path::resolve).toList();
    }
}

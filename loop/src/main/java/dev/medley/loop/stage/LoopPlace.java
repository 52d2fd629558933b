package dev.medley.loop.stage;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds its way in the folder of a loop.
 *
 * @param folder with everything that the loop keeps
 */
public record LoopPlace(Path folder) {
    /** The snapshot of a source. */
    public Path source(String name) {
        return folder.resolve("sources").resolve(name);
    }

    /** The ledger of what a destination was sent. */
    public Path destination(String name) {
        return folder.resolve("destinations").resolve(name);
    }

    /** What one run of the loop made. */
    public Path run(long number) {
        return folder.resolve("runs").resolve(Long.toString(number));
    }

    /** The highest number of a run that has files here; 0 where none has. */
    public long lastRun() {
        return Stream.of(runs(), numbers(training()))
                .flatMap(List::stream)
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** Numbers of runs that have files here. */
    public List<Long> runs() {
        return numbers(folder.resolve("runs"));
    }

    /** Folders of trainings that are there, by the numbers of their runs. */
    public Map<Path, Long> trainings() {
        Map<Path, Long> all = new TreeMap<>();
        for (String name : names(training())) {
            if (name.matches("\\d{1,18}(-[a-z]+)?")) {
                all.put(training().resolve(name), Long.valueOf(name.split("-", 2)[0]));
            }
        }
        return all;
    }

    private static List<Long> numbers(Path folder) {
        return names(folder).stream()
                .filter(name -> name.matches("\\d{1,18}"))
                .map(Long::valueOf)
                .toList();
    }

    private static List<String> names(Path folder) {
        try (Stream<Path> there = Files.list(folder)) {
            return there.map(path -> path.getFileName().toString()).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be read: %s".formatted(folder, e), e);
        }
    }

    /** Runs of training. */
    public Path training() {
        return folder.resolve("training");
    }

    /** The running model, and which rows it learnt. */
    public Path continuous() {
        return folder.resolve("continuous");
    }

    /** What versions of the model are watched against. */
    public Path references() {
        return folder.resolve("references");
    }

    /** What the engine needs for a while; each process has its own. */
    public Path scratch() {
        return folder.resolve("scratch").resolve("" + ProcessHandle.current().pid());
    }
}

package dev.medley.loop.continuous;

import dev.medley.base.time.Clock;
import dev.medley.loop.spec.KeepSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.VersionFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes files of running models away that nothing goes on from: all of one that another took the
 * place of, and rows of publications of long ago that were never in production. What says which
 * rows a registered version has learnt stays, so that a model can begin with any of them.
 */
public final class PruneRunningStage implements LoopStage {
    /** Its name. */
    public static final String NAME = "prune running";

    private final LoopPlace place;
    private final LoopModels models;
    private final KeepSpec keep;
    private final Clock clock;

    /** As {@code keep} says. */
    public PruneRunningStage(LoopPlace place, LoopModels models, KeepSpec keep, Clock clock) {
        this.place = place;
        this.models = models;
        this.keep = keep;
        this.clock = clock;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        List<VersionFacts> publications =
                models.everMade(context.state()).stream()
                        .filter(facts -> !facts.learnt().isEmpty())
                        .toList();
        Set<Path> needed = new HashSet<>();
        Set<Path> unneeded = new HashSet<>();
        Set<Integer> promoted = models.everPromoted();
        Set<Integer> there =
                models.made(context.state()).stream()
                        .map(VersionFacts::version)
                        .collect(Collectors.toSet());
        for (int i = 0; i < publications.size(); i++) {
            VersionFacts facts = publications.get(i);
            if (there.contains(facts.version())) {
                facts.learnt().forEach(file -> needed.add(absolute(file)));
            }
            boolean isKept =
                    promoted.contains(facts.version())
                            || keep.keeps(
                                    publications.size() - 1 - i,
                                    clock.wallMillis() - facts.trainedAtMs());
            Stream.of(facts.rows(), facts.seen())
                    .forEach(file -> (isKept ? needed : unneeded).add(absolute(file)));
        }
        unneeded.removeAll(needed);
        long last = RunningFolder.last(place);
        int gone = 0;
        for (Path folder : RunningFolder.before(place, last)) {
            gone += clear(folder, needed);
        }
        for (Path file : unneeded) {
            gone +=
                    file.startsWith(absolute(place.continuous())) && Files.deleteIfExists(file)
                            ? 1
                            : 0;
        }
        return gone == 0
                ? StageEnd.skipped("no files of running models are to go")
                : StageEnd.done(
                        "%d files of running models are gone that nothing goes on from"
                                .formatted(gone),
                        Map.of("files", gone));
    }

    /** Removes what is in a folder and not needed; returns how many files. */
    private static int clear(Path folder, Set<Path> needed) throws IOException {
        List<Path> files;
        try (Stream<Path> there = Files.list(folder)) {
            files = there.filter(Files::isRegularFile).toList();
        }
        int gone = 0;
        for (Path file : files) {
            if (!needed.contains(absolute(file))) {
                Files.delete(file);
                gone++;
            }
        }
        if (gone == files.size()) {
            try (Stream<Path> left = Files.list(folder)) {
                if (left.findAny().isPresent()) {
                    return gone;
                }
            }
            Files.delete(folder);
        }
        return gone;
    }

    private static Path absolute(Path file) {
        return file.toAbsolutePath().normalize();
    }
}

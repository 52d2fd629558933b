package dev.medley.loop.learn;

import dev.medley.base.time.Clock;
import dev.medley.loop.spec.KeepSpec;
import dev.medley.loop.spec.PromotionSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.VersionFacts;
import dev.medley.loop.state.LoopRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Takes files of runs and of their trainings away that are older than was asked for. Their history
 * stays, and so does what makes their rows again; so do files that the watch over a model goes on
 * from, and trainings of models that an alias leads to. Of registered models those stay that were
 * ever used, by an alias or by servers that tried them.
 */
public final class PruneStage implements LoopStage {
    /** Its name. */
    public static final String NAME = "prune";

    private final LoopPlace place;
    private final LoopModels models;
    private final PromotionSpec promote;
    private final KeepSpec keep;
    private final Clock clock;

    /** As {@code keep} says. */
    public PruneStage(
            LoopPlace place, LoopModels models, PromotionSpec promote, KeepSpec keep, Clock clock) {
        this.place = place;
        this.promote = promote;
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
        Map<Long, LoopRun> runs = new HashMap<>();
        context.state().runs(Integer.MAX_VALUE).forEach(run -> runs.put(run.number(), run));
        Set<Path> needed = needed(context);
        int gone = 0;
        for (long number : place.runs()) {
            Path folder = place.run(number);
            if (isOld(context, number, runs) && !needed.contains(folder)) {
                delete(folder);
                gone++;
            }
        }
        int trainings = trainings(context, runs);
        String stay =
                keep.age() == null
                        ? "the last %d stay".formatted(keep.runs())
                        : "those of the last %d hours stay".formatted(keep.age().toHours());
        int versions = versions(context);
        if (gone + trainings + versions == 0) {
            return StageEnd.skipped("no files of runs are to go: " + stay);
        }
        String models = versions == 0 ? "" : ", and %d versions never used".formatted(versions);
        return StageEnd.done(
                "files of %d runs and of %d trainings are gone%s: %s"
                        .formatted(gone, trainings, models, stay),
                Map.of("runs", gone, "trainings", trainings, "versions", versions));
    }

    /** Versions of the registry that answered nobody; where people promote, each may yet be. */
    private int versions(StageContext context) {
        if (promote.isByHand()) {
            return 0;
        }
        List<VersionFacts> made = models.made(context.state());
        List<Integer> numbers = made.stream().map(VersionFacts::version).toList();
        return models.remove(
                context.state(),
                facts ->
                        !keep.keeps(
                                numbers.size() - 1 - numbers.indexOf(facts.version()),
                                clock.wallMillis() - facts.trainedAtMs()));
    }

    /** The registry has the models of those that go. */
    private int trainings(StageContext context, Map<Long, LoopRun> runs) throws IOException {
        List<Path> used = models.sourcesInUse().stream().map(Path::toAbsolutePath).toList();
        int gone = 0;
        for (Map.Entry<Path, Long> each : place.trainings().entrySet()) {
            Path folder = each.getKey();
            Path absolute = folder.toAbsolutePath();
            if (isOld(context, each.getValue(), runs)
                    && used.stream().noneMatch(source -> source.startsWith(absolute))) {
                delete(folder);
                gone++;
            }
        }
        return gone;
    }

    private boolean isOld(StageContext context, long number, Map<Long, LoopRun> runs) {
        LoopRun run = runs.get(number);
        Integer last = keep.runs();
        if (last != null) {
            // Publications of a running model have no files, and are many.
            long publications =
                    runs.values().stream()
                            .filter(known -> known.number() > number)
                            .filter(known -> known.cause().equals("publish"))
                            .count();
            return number <= context.run().number() - publications - last;
        }
        boolean isYoung =
                run != null
                        && keep.age() != null
                        && clock.wallMillis() - run.beganMs() < keep.age().toMillis();
        return !isYoung && number < context.run().number();
    }

    /** Folders that the next run reads. */
    private Set<Path> needed(StageContext context) {
        Set<Path> needed = new HashSet<>();
        Optional<Watching> watching = context.remembered(Watching.FACT, Watching.class);
        watching.ifPresent(
                known ->
                        List.of(known.seen(), known.state())
                                .forEach(file -> needed.add(file.getParent())));
        Stream.of(models.productionFacts(context.state()), models.lastTrained(context.state()))
                .flatMap(Optional::stream)
                .map(VersionFacts::seen)
                .forEach(file -> needed.add(file.getParent()));
        return needed;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

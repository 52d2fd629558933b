package dev.medley.loop.continuous;

import dev.medley.inference.running.RunningModel;
import dev.medley.loop.learn.RowMaker;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.VersionFacts;
import dev.medley.store.file.AtomicFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Registers the running model, as it is now, as a version. */
public final class PublishStage implements LoopStage {
    /** Its name, and the cause of runs that are publications. */
    public static final String NAME = "publish";

    /**
     * Tells what was published.
     *
     * @param version in the registry
     * @param champion which it is judged against
     * @param rows that it has learnt since it began
     * @param delays of rows that came since it began
     */
    public record Published(int version, int champion, long rows, DelayLog delays) {}

    private final ContinuousLearner learner;

    /** Of a learner's model. */
    public PublishStage(ContinuousLearner learner) {
        this.learner = learner;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        RunningParts parts = learner.parts();
        LoopModels models = parts.models();
        if (models.production().isEmpty()) {
            return StageEnd.skipped("there is no model in production");
        }
        RunningModel model = learner.open(context);
        RunningPosition at = learner.position();
        if (at.sincePublication() == 0) {
            return at.published() == null
                    ? StageEnd.skipped("nothing was learnt since the model began")
                    : end(at, at.published()); // It was cut off right behind this.
        }
        RunningFolder folder = learner.folder();
        Path published = folder.published(at.batches());
        String why =
                "running model of loop %s: %,d rows in %,d batches since version %d"
                        .formatted(models.name(), at.rows(), at.batches(), at.origin());
        model.publish(
                published,
                "%s-%d-%d".formatted(models.name(), at.generation(), at.batches()),
                Map.of(),
                parts.clock().wallMillis());
        int version = parts.training().registered(context, published, why);
        List<Integer> batches =
                IntStream.rangeClosed(at.atPublication().batches() + 1, at.batches())
                        .boxed()
                        .toList();
        Path rows = folder.path().resolve("rows-%d.parquet".formatted(at.batches()));
        learner.log().merge(batches.stream().map(folder::rows).toList(), rows);
        List<String> files = merged(folder, at, batches);
        remember(context, version, rows, folder.files(files), at);
        learner.write(
                model,
                at.published(
                        version,
                        files,
                        Math.min(at.judgedFrom(), files.size() - 1),
                        parts.clock().wallMillis()));
        for (int batch : batches) {
            Files.deleteIfExists(folder.rows(batch));
            Files.deleteIfExists(folder.path().resolve(RunningFolder.answers(batch)));
        }
        AtomicFolder.delete(published); // The registry has it.
        return end(learner.position(), version);
    }

    private static StageEnd end(RunningPosition at, int version) {
        return StageEnd.done(
                "version %d is the running model behind %,d rows".formatted(version, at.rows()),
                new Published(version, at.champion(), at.rows(), at.delays()));
    }

    /**
     * The files of learnt rows, those of batches since the last publication as one; rows that came
     * before the champion answered are told apart no more finely than by publications.
     */
    private List<String> merged(RunningFolder folder, RunningPosition at, List<Integer> batches)
            throws IOException {
        List<String> files =
                new ArrayList<>(at.learnt().subList(0, at.learnt().size() - batches.size()));
        List<String> single = at.learnt().subList(files.size(), at.learnt().size());
        int before = Math.min(single.size(), Math.max(0, at.judgedFrom() - files.size()));
        if (before > 0) {
            String name = "before-" + RunningFolder.log(at.batches());
            learner.log()
                    .merge(folder.files(single.subList(0, before)), folder.path().resolve(name));
            files.add(name);
        }
        if (before < single.size()) {
            String name = RunningFolder.log(at.batches());
            learner.log()
                    .merge(
                            folder.files(single.subList(before, single.size())),
                            folder.path().resolve(name));
            files.add(name);
        }
        return files;
    }

    private void remember(
            StageContext context, int version, Path rows, List<Path> learnt, RunningPosition at)
            throws IOException {
        RunningParts parts = learner.parts();
        LoopModels models = parts.models();
        int earlier = at.published() == null ? at.origin() : at.published();
        VersionFacts origin = models.facts(context.state(), at.origin()).orElseThrow();
        VersionFacts last = models.facts(context.state(), earlier).orElse(origin);
        Path seen = rows.resolveSibling("seen-%d.parquet".formatted(at.batches()));
        parts.maker().seen(at.lookedMs(), seen);
        VersionFacts facts =
                new VersionFacts(
                        version,
                        rows,
                        origin.trainedUntilMs(),
                        seen,
                        origin.trainedRows() + at.rows(),
                        origin.labelledRows() + at.rows(),
                        parts.clock().wallMillis(),
                        RowMaker.sha256(rows),
                        origin.features(),
                        parts.views().versions(at.lookedMs()),
                        null,
                        at.lookedMs(),
                        learnt);
        parts.references().refitted(facts, last, rows);
        models.rememberRunning(context.state(), facts);
    }
}

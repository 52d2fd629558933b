package dev.medley.loop.continuous;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.Signature;
import dev.medley.connect.sync.SyncReport;
import dev.medley.inference.running.PrequentialRows;
import dev.medley.inference.running.RunningModel;
import dev.medley.loop.learn.AnsweredRows;
import dev.medley.loop.learn.RowMaker;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.SyncStage;
import dev.medley.loop.stage.VersionFacts;
import dev.medley.loop.stage.VolumeLog;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Learns rows as they come, between the runs of a loop. A look brings the sources, makes those
 * labelled rows that were not learnt yet, and learns them. What a look has written is whole:
 * parameters, moments and which rows were learnt are one file. A look that was cut off is done
 * again, with the rows that it had.
 *
 * <p>Thread: one, which holds the loop.
 */
public final class ContinuousLearner implements AutoCloseable {
    /** Hears which part of a look begins. Called on the learner's thread. */
    public interface Told {
        /** Hears nothing. */
        Told NOBODY = point -> {};

        /** A part begins. */
        void at(String point);
    }

    private static final String DECISION = "running model";

    private final RunningParts parts;
    private final AnswerLog log;
    private @Nullable RunningModel model;
    private @Nullable RunningPosition position;

    /** Of a loop; nothing is done yet. */
    public ContinuousLearner(RunningParts parts) {
        this.parts = parts;
        this.log = new AnswerLog(parts.place().scratch());
    }

    /** What it works with. */
    RunningParts parts() {
        return parts;
    }

    AnswerLog log() {
        return log;
    }

    /**
     * Learns what has come.
     *
     * @return where the running model stands then
     * @throws IOException if it may go better next time
     * @throws ConfigException if somebody has to change something; rows wait meanwhile
     */
    public RunningStanding look(Told told) throws IOException {
        boolean isWhole = false;
        try {
            RunningStanding standing = looked(told);
            isWhole = true;
            standing.remember(parts.state());
            return standing;
        } finally {
            if (!isWhole) {
                close(); // What is in memory may be half of a step: the file is not.
            }
        }
    }

    private RunningStanding looked(Told told) throws IOException {
        sync(told);
        told.at("known");
        long asOfMs = Math.max(parts.clock().wallMillis(), parts.views().newestMs());
        StageContext context = context(asOfMs);
        String waits = waits(context);
        Optional<RunningStanding> before = RunningStanding.of(parts.state());
        if (!waits.isEmpty()) {
            return new RunningStanding(
                    before.map(RunningStanding::position).orElse(null),
                    before.map(RunningStanding::foreign).orElse(0L),
                    before.map(RunningStanding::lookedMs).orElse(0L),
                    parts.spec().delay().toMillis(),
                    waits,
                    before.map(RunningStanding::trouble).orElse(""));
        }
        told.at("open");
        RunningModel running = open(context);
        RunningPosition at = position();
        long lookedMs =
                before.filter(known -> isOfThis(known, at))
                        .map(known -> Math.max(known.lookedMs(), at.lookedMs()))
                        .orElse(at.lookedMs());
        RunningPosition.Batch batch = batch(told, running, asOfMs, lookedMs);
        PrequentialRows learnt = learn(told, running, batch);
        return new RunningStanding(
                position(),
                batch.foreign(),
                batch.asOfMs(),
                parts.spec().delay().toMillis(),
                "",
                learnt == null || learnt.troubles().isEmpty()
                        ? before.map(RunningStanding::trouble).orElse("")
                        : String.join("; ", learnt.troubles()));
    }

    private static boolean isOfThis(RunningStanding known, RunningPosition at) {
        return known.position() != null && known.position().generation() == at.generation();
    }

    /** A context outside of a run: the last one's. */
    public StageContext context(long asOfMs) {
        LoopRun last =
                parts.state().runs(1).stream()
                        .findFirst()
                        .orElse(
                                new LoopRun(
                                        0, DECISION, asOfMs, asOfMs, null, StageOutcome.DONE, ""));
        LoopRun now =
                new LoopRun(
                        last.number(),
                        last.cause(),
                        asOfMs,
                        last.beganMs(),
                        last.endedMs(),
                        last.outcome(),
                        last.why());
        return new StageContext(now, Map.of(), parts.state(), text -> {});
    }

    private void sync(Told told) throws IOException {
        for (SyncStage source : parts.syncs()) {
            told.at(source.name());
            SyncReport report = source.sync();
            if (report.difference().added() > 0) {
                VolumeLog.cameBetween(
                        context(parts.clock().wallMillis()),
                        source.table(),
                        report.difference().added());
            }
        }
    }

    /** Why nothing can be learnt now; empty where it can. */
    private String waits(StageContext context) throws IOException {
        LoopModels models = parts.models();
        Optional<Integer> production = models.production();
        if (production.isEmpty()) {
            return "there is no model in production yet";
        }
        int version = production.get();
        Optional<VersionFacts> facts = models.facts(context.state(), version);
        if (facts.isEmpty() || (facts.get().asOfMs() == null && facts.get().learnt().isEmpty())) {
            return "nobody knows which rows version %d learnt; it goes on with the next model"
                    .formatted(version);
        }
        if (!facts.get().features().equals(parts.maker().definitions())) {
            return "definitions have changed since version %d: %s, and now %s; a run trains anew"
                    .formatted(
                            version,
                            String.join(", ", facts.get().features()),
                            String.join(", ", parts.maker().definitions()));
        }
        String unreadable = parts.training().reads().unreadable(context, version);
        if (!unreadable.isEmpty()) {
            return "version %d: %s".formatted(version, unreadable);
        }
        String failing = parts.checks().failing(context.asOfMs());
        return failing.isEmpty() ? "" : "a check does not hold: " + failing;
    }

    /** How far it came. */
    RunningPosition position() {
        RunningPosition now = position;
        if (now == null) {
            throw new IllegalStateException("no model runs");
        }
        return now;
    }

    RunningFolder folder() {
        return RunningFolder.of(parts.place(), position().generation());
    }

    /** The model that goes on from the version in production. */
    RunningModel open(StageContext context) throws IOException {
        int version = parts.models().production().orElseThrow();
        RunningModel running = model;
        if (running == null) {
            running = resumed(version);
        }
        if (running != null && position().champion() != version) {
            Integer own = position().published();
            if (own != null && own == version) {
                running.setChampion(parts.models().model(version));
                write(running, position().promoted(version));
            } else {
                close();
                running = null;
            }
        }
        return running == null ? begun(context, version) : running;
    }

    private @Nullable RunningModel resumed(int version) throws IOException {
        long generation = RunningFolder.last(parts.place());
        if (generation == 0) {
            return null;
        }
        Path state = RunningFolder.of(parts.place(), generation).state();
        RunningPosition known = Json.parse(RunningModel.position(state), RunningPosition.class);
        Integer own = known.published();
        if (known.champion() != version && (own == null || own != version)) {
            return null;
        }
        RunningModel running = RunningModel.begin(parts.models().model(known.origin()), threads());
        model = running;
        position = known;
        running.restore(state);
        if (known.champion() != known.origin()) {
            running.setChampion(parts.models().model(known.champion()));
        }
        return running;
    }

    private RunningModel begun(StageContext context, int version) throws IOException {
        VersionFacts facts = parts.models().facts(context.state(), version).orElseThrow();
        long generation = RunningFolder.last(parts.place()) + 1;
        RunningFolder folder = RunningFolder.of(parts.place(), generation);
        Files.createDirectories(folder.path());
        Path base = folder.path().resolve(RunningFolder.BASE);
        Long trainedAsOfMs = facts.asOfMs();
        if (facts.learnt().isEmpty() && trainedAsOfMs != null) {
            parts.maker().learntBy(trainedAsOfMs, facts.trainedUntilMs(), base);
        } else {
            log.merge(facts.learnt(), base);
        }
        RunningModel running = RunningModel.begin(parts.models().model(version), threads());
        model = running;
        AnsweredRows.requireFit(parts.metric(), running.target());
        String before =
                RunningStanding.of(parts.state())
                        .map(RunningStanding::position)
                        .map(
                                was ->
                                        ", in place of one from version %d on that had learnt %,d rows"
                                                .formatted(was.origin(), was.rows()))
                        .orElse("");
        write(
                running,
                RunningPosition.begun(
                        generation, version, parts.clock().wallMillis(), RunningFolder.BASE));
        context.decide(
                DECISION,
                "begins with version " + version,
                "a model goes on learning from version %d on%s".formatted(version, before),
                position());
        return running;
    }

    private static int threads() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** The rows to learn now: those of a look that was cut off, or all that have come since. */
    private RunningPosition.Batch batch(Told told, RunningModel running, long asOfMs, long lookedMs)
            throws IOException {
        RunningFolder folder = folder();
        int number = position().batches() + 1;
        Path planned = folder.planned(number);
        if (Files.exists(planned)) {
            return Json.read(planned, RunningPosition.Batch.class);
        }
        told.at("rows");
        RowMaker.Unlearnt found =
                parts.maker()
                        .unlearnt(
                                asOfMs,
                                folder.files(position().learnt()),
                                labels(running.target()),
                                lookedMs,
                                folder.rows(number),
                                folder.keys(number));
        RunningPosition.Batch batch =
                new RunningPosition.Batch(
                        found.rows() == 0 ? 0 : number, asOfMs, found.endMs(), found.foreign());
        if (found.rows() > 0) {
            told.at("plan");
            AtomicFile.write(planned, Json.bytes(batch));
        }
        return batch;
    }

    private static List<String> labels(Signature.Target target) {
        return target.kind() == Signature.TargetKind.VALUE ? List.of() : AnsweredRows.names(target);
    }

    private @Nullable PrequentialRows learn(
            Told told, RunningModel running, RunningPosition.Batch batch) throws IOException {
        if (batch.number() == 0) {
            return null;
        }
        RunningFolder folder = folder();
        told.at("learn");
        PrequentialRows learnt;
        try {
            learnt = running.learn(folder.rows(batch.number()), parts.place().scratch());
        } catch (ConfigException e) {
            Files.delete(folder.planned(batch.number())); // They may be others, once mended.
            throw e;
        }
        told.at("answers");
        RunningPosition at = position();
        log.write(
                folder.keys(batch.number()),
                learnt,
                at.seen(),
                folder.path().resolve(RunningFolder.answers(batch.number())));
        told.at("write");
        boolean isBacklog = at.lookedMs() == 0 && at.batches() == 0;
        DelayLog delays =
                isBacklog
                        ? at.delays() // They were there before it began.
                        : at.delays()
                                .plus(
                                        log.waited(
                                                folder.keys(batch.number()),
                                                parts.clock().wallMillis()));
        write(running, at.after(batch, learnt.rows(), learnt.refusedRows(), delays));
        told.at("written");
        Files.deleteIfExists(folder.planned(batch.number()));
        Files.deleteIfExists(folder.keys(batch.number()));
        return learnt;
    }

    /**
     * What both models answered for rows that came while the champion answered.
     *
     * @param fromMs rows before this time do not count, milliseconds since 1970
     */
    AnswerLog.Evidence evidence(long fromMs) throws IOException {
        RunningPosition at = position();
        List<String> files = at.learnt();
        return log.evidence(
                folder().files(
                                files.subList(
                                        Math.min(at.judgedFrom(), files.size()), files.size())),
                fromMs);
    }

    /** Says where it stands, outside of a look. */
    public void tell() {
        RunningPosition at = position;
        if (at != null) {
            RunningStanding.of(parts.state())
                    .map(known -> known.at(at))
                    .ifPresent(standing -> standing.remember(parts.state()));
        }
    }

    /** Parameters, moments and position, in one move. */
    void write(RunningModel running, RunningPosition next) throws IOException {
        Path state = RunningFolder.of(parts.place(), next.generation()).state();
        running.write(state, Json.line(next));
        position = next;
    }

    /** Forgets what is in memory. */
    @Override
    public void close() {
        if (model != null) {
            model.close();
        }
        model = null;
        position = null;
    }
}

package dev.medley.loop.run;

import dev.medley.api.run.RunOptions;
import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.connect.back.BackReport;
import dev.medley.connect.back.DeadLetter;
import dev.medley.connect.back.Destination;
import dev.medley.connect.back.WriteBack;
import dev.medley.loop.continuous.ContinuousLearner;
import dev.medley.loop.continuous.PruneRunningStage;
import dev.medley.loop.continuous.RunningParts;
import dev.medley.loop.decide.JudgedMetric;
import dev.medley.loop.learn.LearntJob;
import dev.medley.loop.learn.ModelTraining;
import dev.medley.loop.learn.PromoteStage;
import dev.medley.loop.learn.PruneStage;
import dev.medley.loop.learn.References;
import dev.medley.loop.learn.RefitStage;
import dev.medley.loop.learn.RowMaker;
import dev.medley.loop.learn.RowsStage;
import dev.medley.loop.learn.ScoreStage;
import dev.medley.loop.learn.SendStage;
import dev.medley.loop.learn.TrainStage;
import dev.medley.loop.learn.WatchStage;
import dev.medley.loop.page.LoopPage;
import dev.medley.loop.rollout.Holds;
import dev.medley.loop.rollout.Recipe;
import dev.medley.loop.rollout.TrialStage;
import dev.medley.loop.rollout.Trials;
import dev.medley.loop.spec.ContinuousSpec;
import dev.medley.loop.spec.DestinationSpec;
import dev.medley.loop.spec.LoopSpec;
import dev.medley.loop.spec.ScoreSpec;
import dev.medley.loop.spec.SourceSpec;
import dev.medley.loop.stage.CheckStage;
import dev.medley.loop.stage.KnownStage;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.SchemaReads;
import dev.medley.loop.stage.SourceViews;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.StageRunner;
import dev.medley.loop.stage.SyncStage;
import dev.medley.loop.state.LoopLock;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.LoopState;
import dev.medley.serving.registry.Registry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a loop: its stages in their order, from sources to answers. What it did and decided is in
 * its state, and on a page beside it.
 *
 * <p>Thread: one. Others may open the same loop and read its state.
 */
public final class Loop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    private final LoopSpec spec;
    private final LoopPlace place;
    private final LoopState state;
    private final LoopModels models;
    private final SourceSpec.Opening opening;
    private final List<LoopStage> stages;
    private final Clock clock;
    private final UnaryOperator<RunOptions> how;

    /**
     * Opens a loop; nothing is done yet.
     *
     * @param environment a variable's value, null if it is not set
     */
    public Loop(LoopSpec spec, UnaryOperator<@Nullable String> environment, Clock clock) {
        this(spec, environment, clock, options -> options);
    }

    /** The same, whose trainings do something otherwise, such as how their workers start. */
    Loop(
            LoopSpec spec,
            UnaryOperator<@Nullable String> environment,
            Clock clock,
            UnaryOperator<RunOptions> training) {
        this.spec = spec;
        this.clock = clock;
        this.place = new LoopPlace(spec.memory().folder());
        this.state = opened(spec, environment, clock);
        state.goOnAfter(place.lastRun());
        this.models = new LoopModels(new Registry(spec.memory().registry(), clock), spec.name());
        this.opening =
                new SourceSpec.Opening(
                        environment, place.folder(), clock, spec.memory().snapshots());
        this.how = training;
        this.stages = stages();
    }

    private static LoopState opened(
            LoopSpec spec, UnaryOperator<@Nullable String> environment, Clock clock) {
        LoopSpec.Memory memory = spec.memory();
        if (memory.url() == null) {
            return LoopState.inFolder(memory.folder(), spec.name(), clock);
        }
        String password = memory.password() == null ? null : memory.password().read(environment);
        return LoopState.at(memory.url(), memory.user(), password, spec.name(), clock);
    }

    private List<LoopStage> stages() {
        String label = spec.rows().label();
        JudgedMetric metric = metric();
        Holds holds = holds();
        List<LoopStage> all = new ArrayList<>();
        spec.sources().forEach(source -> all.add(new SyncStage(place, source, opening)));
        all.add(new KnownStage(clock, views()));
        all.add(CheckStage.ofTables(place, views(), spec.checks(), spec.rows().sql()));
        Trials trials = new Trials(holds, spec.promote().trial(), clock);
        if (spec.promote().trial() != null) {
            // Before rows: what it takes back is judged by none that are known now.
            all.add(new TrialStage(trials, spec.promote().trial()));
        }
        all.add(new RowsStage(place, maker(), spec.promote().newest(), holds));
        CheckStage joined = CheckStage.ofJoined(place, views(), spec.checks());
        if (joined.hasChecks()) {
            all.add(joined);
        }
        References references = references(metric);
        all.add(new WatchStage(place, maker(), references, spec.drift()));
        ModelTraining training = training();
        all.add(
                new TrainStage(
                        place, trials, maker(), training, spec.retrain(), references, clock));
        all.add(new PromoteStage(place, trials, label, spec.promote(), metric, reads()));
        all.add(new RefitStage(place, training, references, spec.promote().isRefit(), clock));
        all.add(new ScoreStage(place, views(), spec.features(), spec.score(), models, reads()));
        ScoreSpec score = spec.score();
        if (score != null) {
            spec.destinations().forEach(to -> all.add(new SendStage(place, to, score, opening)));
        }
        all.add(new PruneStage(place, models, spec.promote(), spec.keep(), clock));
        if (spec.continuous() != null) {
            all.add(new PruneRunningStage(place, models, spec.keep(), clock));
        }
        return List.copyOf(all);
    }

    private SchemaReads reads() {
        ScoreSpec score = spec.score();
        List<String> queries = new ArrayList<>(List.of(spec.rows().sql()));
        spec.features().forEach(feature -> queries.addAll(feature.reads()));
        if (score != null) {
            queries.add(score.sql());
        }
        return new SchemaReads(views(), queries);
    }

    private SourceViews views() {
        return new SourceViews(place, spec.sources().stream().map(SourceSpec::name).toList());
    }

    /** Makes the rows to learn from of any time, as they were known then. */
    public RowMaker maker() {
        return new RowMaker(place, views(), spec.features(), spec.rows());
    }

    /** What the file says. */
    public LoopSpec spec() {
        return spec;
    }

    /** What it remembers. */
    public LoopState state() {
        return state;
    }

    /** Its models. */
    public LoopModels models() {
        return models;
    }

    /** Names of the stages of a run, in their order. */
    public List<String> stageNames() {
        return stages.stream().map(LoopStage::name).toList();
    }

    /** Rows that a destination did not take. */
    public List<DeadLetter> letters(String destination) throws IOException {
        try (Destination to = destination(destination);
                WriteBack back = WriteBack.open(place.destination(destination), to, clock)) {
            return back.deadLetters();
        }
    }

    /** Sends rows that a destination did not take again. */
    public BackReport replay(String destination) throws IOException {
        try (Destination to = destination(destination);
                WriteBack back = WriteBack.open(place.destination(destination), to, clock)) {
            to.open();
            return back.replay();
        }
    }

    private Destination destination(String name) {
        for (DestinationSpec to : spec.destinations()) {
            if (to.name().equals(name) && to.place() instanceof DestinationSpec.Sent sent) {
                return sent.destination(
                        to.columns().stream().map(c -> c.theirs()).toList(), opening);
            }
        }
        throw new ConfigException(
                "loop %s sends nothing to '%s' that could be refused; its destinations are %s"
                        .formatted(
                                spec.name(),
                                name,
                                String.join(
                                        ", ",
                                        spec.destinations().stream().map(d -> d.name()).toList())));
    }

    /** The page that shows it. */
    public Path page() {
        return place.folder().resolve("loop.html");
    }

    /**
     * Takes up the run that was cut off, or does a new one.
     *
     * @param cause why, for the history
     * @return the run as it ended
     * @throws dev.medley.base.ConfigException if somebody else runs it, or a person has to change
     *     something
     * @throws IOException if it may go better next time
     */
    public LoopRun run(String cause, StageRunner.Listener listener)
            throws IOException, InterruptedException {
        try (LoopLock unused = lock()) {
            if (spec.continuous() != null) {
                try (Staying staying = staying(listener)) {
                    staying.endCutOff();
                }
            }
            return new StageRunner(state, new Shown(listener))
                    .run(cause, clock.wallMillis(), spec.definition(), stages);
        } finally {
            shown();
        }
    }

    /**
     * Does what is due while the loop stays.
     *
     * @throws ConfigException if the file does not say {@code continuous}
     */
    public Staying staying(StageRunner.Listener listener) {
        ContinuousSpec continuous = spec.continuous();
        if (continuous == null) {
            throw new ConfigException(
                    "loop %s learns by runs alone: its file says nothing of continuous:"
                            .formatted(spec.name()));
        }
        JudgedMetric metric = metric();
        RunningParts parts =
                new RunningParts(
                        continuous,
                        place,
                        state,
                        views(),
                        spec.sources().stream()
                                .map(source -> new SyncStage(place, source, opening))
                                .toList(),
                        CheckStage.ofTables(place, views(), spec.checks(), spec.rows().sql()),
                        maker(),
                        training(),
                        references(metric),
                        metric,
                        clock);
        return new Staying(
                this,
                new ContinuousLearner(parts),
                new Trials(holds(), spec.promote().trial(), clock),
                new Shown(listener),
                clock);
    }

    private JudgedMetric metric() {
        return JudgedMetric.valueOf(spec.promote().metric().toUpperCase(Locale.ROOT));
    }

    private References references(JudgedMetric metric) {
        return References.of(
                place,
                models,
                spec.rows().label(),
                metric,
                spec.promote().confidence(),
                spec.drift());
    }

    private ModelTraining training() {
        return new ModelTraining(
                models,
                new LearntJob(spec.job(), spec.rows().label()),
                holds().recipe(),
                reads(),
                how);
    }

    /** Takes the model in production back; see {@link Rollbacks}. */
    public Rollbacks rollbacks(StageRunner.Listener listener) {
        return new Rollbacks(this, holds(), clock, new Shown(listener));
    }

    /** Compares sources with their snapshots. */
    public Reconciles reconciles() {
        return new Reconciles(this, place, opening);
    }

    /** The loop for this process alone. */
    LoopLock lock() {
        Path folder = spec.memory().url() == null ? spec.memory().folder() : null;
        return LoopLock.take(state, folder, Instant.ofEpochMilli(clock.wallMillis()));
    }

    private Holds holds() {
        return new Holds(
                models,
                Recipe.of(maker().definitions(), spec.job()),
                asOfMs -> maker().endMs(asOfMs),
                clock);
    }

    /** The page is for people: where it cannot be written the loop goes on, and says so. */
    void shown() {
        try {
            show();
        } catch (IOException e) {
            LOG.warn("{} cannot be written: {}", page(), e.toString());
        }
    }

    /** Writes the page anew. */
    public void show() throws IOException {
        String waits =
                spec.every() == null
                        ? "It runs when medley loop run says so."
                        : "It runs every %s while medley loop run --stay does."
                                .formatted(
                                        spec.every()
                                                .toString()
                                                .substring(2)
                                                .toLowerCase(Locale.ROOT));
        LoopPage.write(page(), state, stageNames(), waits);
    }

    @Override
    public void close() {
        state.close();
    }

    /** Writes the page after each stage. */
    private final class Shown implements StageRunner.Listener {
        private final StageRunner.Listener inner;

        Shown(StageRunner.Listener inner) {
            this.inner = inner;
        }

        @Override
        public void began(LoopRun run, boolean isTakenUp) {
            inner.began(run, isTakenUp);
        }

        @Override
        public void stage(String name) throws IOException {
            inner.stage(name);
            shown();
        }

        @Override
        public void progress(String text) {
            inner.progress(text);
        }

        @Override
        public void ended(String name, StageEnd end) throws IOException {
            inner.ended(name, end);
            shown();
        }
    }
}

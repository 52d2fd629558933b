package dev.medley.loop.learn;

import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.loop.rollout.Recipe;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.SchemaReads;
import dev.medley.loop.stage.StageContext;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.UnusableRunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Trains the loop's job on rows, and registers what came of it. A training that was cut off goes on
 * from its last checkpoint.
 *
 * @param job that learns
 * @param recipe that versions are made by
 * @param reads tells what they read of the sources
 * @param how what a training does otherwise than others, such as how its workers start
 */
public record ModelTraining(
        LoopModels models,
        LearntJob job,
        Recipe recipe,
        SchemaReads reads,
        UnaryOperator<RunOptions> how) {
    /** Registers a model, unless it is, and remembers what it was made by and what it reads. */
    public int registered(StageContext context, Path model, String why) throws IOException {
        int version = models.registered(model, why);
        recipe.remember(context, version);
        reads.remember(context, version);
        return version;
    }

    /**
     * The run on these rows: the one that is there, the one that was cut off, or a new one.
     *
     * @param runs the folder of this very training
     * @param isWarm whether it begins with the weights of the model in production
     */
    RunFolder trained(StageContext context, Path rows, Path runs, boolean isWarm)
            throws IOException {
        Optional<RunFolder> earlier = earlier(runs);
        if (earlier.filter(run -> RunRecord.summary(run).state() == RunStatus.DONE).isPresent()) {
            return earlier.get();
        }
        RunOptions options = how.apply(RunOptions.in(runs));
        if (earlier.isPresent()) {
            options = options.resuming(earlier.get().path());
        } else if (isWarm && models.production().isPresent()) {
            options = options.startingFrom(models.model(models.production().get()));
        }
        JobSpec spec = earlier.map(run -> JobRun.jobOf(run.path())).orElseGet(() -> job.on(rows));
        RunResult result = result(spec, options, context);
        if (result.summary().state() != RunStatus.DONE) {
            throw new ConfigException(
                    "training ended as %s: see %s"
                            .formatted(result.summary().state(), result.folder().path()));
        }
        return result.folder();
    }

    private static RunResult result(JobSpec spec, RunOptions options, StageContext context) {
        try {
            return JobRun.train(spec, options, new Told(context));
        } catch (UnusableRunFolder e) {
            throw new ConfigException(
                    e.trouble()
                            + ": make room there, or name another folder for the loop with state:"
                            + " in its file",
                    e);
        }
    }

    /** A training of this very run that was cut off, or done. */
    private static Optional<RunFolder> earlier(Path runs) throws IOException {
        try (Stream<Path> there = Files.list(runs)) {
            return there.filter(Files::isDirectory)
                    .filter(run -> Files.exists(RunFolder.at(run).summary()))
                    .max(Comparator.naturalOrder())
                    .map(RunFolder::at);
        }
    }

    /** Says how far it is. */
    private static final class Told implements RunProgress {
        private final StageContext context;

        Told(StageContext context) {
            this.context = context;
        }

        @Override
        public void preparing(String phase, long done, long total) {
            context.progress().accept(phase);
        }

        @Override
        public void stepped(StepRecord step) {
            context.progress().accept("step %,d".formatted(step.step()));
        }
    }
}

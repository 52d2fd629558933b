package dev.medley.cli.command;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.job.JobWorkers;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.api.stored.RunStore;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.text.Units;
import dev.medley.cli.kubernetes.KubernetesOptions;
import dev.medley.cli.kubernetes.OnKubernetes;
import dev.medley.cli.option.DataOptions;
import dev.medley.cli.option.JobOptions;
import dev.medley.cli.option.JobWords;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.ModelOfRun;
import dev.medley.cli.option.Options;
import dev.medley.cli.option.RunsOption;
import dev.medley.cli.spark.OnSpark;
import dev.medley.cli.spark.SparkOptions;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.cli.train.Interrupts;
import dev.medley.cli.train.RunEnd;
import dev.medley.cli.train.Samples;
import dev.medley.cli.train.TrainView;
import dev.medley.control.watch.RunOutcome;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.metrics.Serving;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Trains a job. */
@Command(
        name = "train",
        header = "Train a model as a job file says, or on data with defaults.",
        description = {
            "",
            "In place of a job file it takes data: a table with --label, a folder of images, or"
                    + " text; and",
            "shows the job that it made of it, for a file of your own.",
            "Shows progress, keeps a record in the run's folder, and ends with a model, its"
                    + " metrics",
            "and a report. Ctrl-C once finishes the step, saves a checkpoint and says how to"
                    + " resume;",
            "twice stops at once."
        },
        footer = {
            "",
            "Examples:",
            "  medley train examples/quickstart.yaml",
            "  medley train adult.csv --label income",
            "  medley train data/fashion-mnist --model cnn --workers 2",
            "  medley train s3://bucket/adult.csv --label income",
            "  medley train job.yaml -s train.epochs=2 -s model.hidden=[512,256] --workers 4",
            "  medley train job.yaml --listen 0.0.0.0:7077 --expect 4 --credentials certs/trainer",
            "  medley train job.yaml --listen 0.0.0.0:7077 --interface eth1 --expect 4"
                    + " --credentials certs/trainer",
            "  medley train job.yaml --live",
            "  medley train --resume latest",
            "  medley train --resume latest --workers 3",
            "  medley train --resume latest --listen 0.0.0.0:7077 --expect 4"
                    + " --credentials certs/trainer",
            "  medley train job.yaml --init runs/adult-20261121-101500/model",
            "  medley train job.yaml --replay latest --json",
            "  medley train job.yaml --on kubernetes --flavor cpu,min=2,max=8 --runs-volume 10Gi",
            "  medley train job.yaml --on spark://master:7077 --workers 4 --max-workers 16",
            "",
            "The smallest useful job file:",
            "  name: adult",
            "  data: {train: adult.csv, label: income}",
            "  model: mlp",
            "  train: {epochs: 4}"
        })
public final class TrainCommand extends Options implements Callable<Integer> {
    /** What scripts see of a finished run. */
    record Trained(String run, String outcome, RunSummary summary, String model, String report) {}

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RunsOption runs = new RunsOption();
    @Mixin private JobOptions jobOptions = new JobOptions();

    @Mixin private DataOptions data = new DataOptions();
    @Mixin private KubernetesOptions kubernetes = new KubernetesOptions();
    @Mixin private SparkOptions spark = new SparkOptions();

    @Option(
            names = "--on",
            paramLabel = "ENGINE",
            description =
                    "Train there in place of here: kubernetes, or a master of Spark"
                            + " (spark://HOST:PORT, yarn, k8s://URL, local-cluster[N,CORES,MIB]).")
    private @Nullable String engine;

    @Parameters(
            arity = "0..1",
            paramLabel = "JOB.yaml",
            description = "The job file; or data, also s3://BUCKET/KEY, with --label for a table.")
    private @Nullable String file;

    @Option(
            names = "--resume",
            paramLabel = "RUN",
            description =
                    "Go on with a run: its folder, its name, or latest; or s3://BUCKET/FOLDER/RUN,"
                            + " which is fetched (checkpoint.store).")
    private @Nullable String resume;

    @Option(
            names = "--init",
            paramLabel = "MODEL",
            description =
                    "Begin with a trained model instead of drawn parameters, and encode the data as"
                            + " the model was trained: its folder, or a run.")
    private @Nullable String initial;

    @Option(
            names = "--replay",
            paramLabel = "RUN",
            description = "Repeat the recorded plans of a run, for the same numbers bit by bit.")
    private @Nullable String replay;

    @Option(
            names = "--metrics",
            paramLabel = "[HOST:]PORT",
            description =
                    "Serve live figures for Prometheus at /metrics; a port alone is one of the"
                            + " loopback, 0 any free one. Whoever reaches HOST sees them.")
    private @Nullable String metrics;

    @Option(
            names = "--live",
            description =
                    "Serve the report as a page that follows the run, where --metrics says, or on a"
                            + " free port of the loopback.")
    private boolean isLive;

    @Option(
            names = "--rescue",
            paramLabel = "FOLDER",
            description =
                    "Put the model and the last checkpoint there if the run's own folder cannot"
                            + " take them, as on a full disk.")
    private @Nullable Path rescue;

    @Option(
            names = "--no-guesses",
            description =
                    "Take no guesses from earlier runs, of how fast machines are and how the job"
                            + " learns, and keep none.")
    private boolean isWithoutGuesses;

    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Spec
    private CommandSpec spec;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public TrainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (engine != null && !SparkOptions.isMaster(engine)) {
            return onEngine(engine);
        }
        check(
                kubernetes.given().isEmpty(),
                "%s: only on Kubernetes: add --on kubernetes, or leave it out",
                String.join(", ", kubernetes.given()));
        check(
                engine != null || !spark.areGiven(),
                "--conf, --max-workers and --launcher are about Spark: add --on with its master, as"
                        + " --on spark://HOST:7077");
        RunOptions how = runOptions();
        JobSpec job = job(how);
        if (how.resume() != null) {
            RunFolder run = RunFolder.at(how.resume());
            if (RunRecord.summary(run).state() == RunStatus.DONE) {
                return nothingLeft(run);
            }
        }
        if (engine != null) {
            check(
                    job.cluster().join() == null,
                    "--listen and cluster.listen: the executors are the machines; leave them out"
                            + " with --on %s",
                    engine);
            if (!isInside()) {
                return OnSpark.submit(engine, spark, job.cluster().workers(), originalArguments());
            }
        }
        try (Interrupts interrupts = Interrupts.listen(terminal)) {
            RunProgress view = new TrainView(terminal, job, interrupts, made(job));
            RunResult result =
                    isInside()
                            ? OnSpark.train(job, spark, how, view, terminal)
                            : JobRun.train(job, how, view);
            terminal.endLive();
            print(result);
            return exitCode(result);
        } finally {
            terminal.endLive();
        }
    }

    private boolean isInside() {
        return SparkOptions.INSIDE.equals(engine);
    }

    private List<String> originalArguments() {
        return spec.commandLine().getParent().getParseResult().originalArgs();
    }

    private int onEngine(String named) {
        check(
                named.equals("kubernetes"),
                "--on %s: there is no such engine; there are kubernetes and Spark's masters:"
                    + " spark://HOST:PORT, yarn, k8s://URL, local[N], local-cluster[N,CORES,MIB]",
                named);
        String job = file;
        if (job == null) {
            throw new ConfigException("--on kubernetes needs a job file");
        }
        check(
                resume == null && replay == null && initial == null && metrics == null && !isLive,
                "--resume, --replay, --init, --metrics and --live are about runs of this machine:"
                        + " leave them out with --on kubernetes (a run there goes on by itself)");
        return new OnKubernetes(terminal, kubernetes)
                .train(Path.of(job), jobOptions.settingsAlone());
    }

    /** What is kept in an object store comes first. */
    private RunFolder resumed(String named) {
        if (!StoreUrl.isUrl(named)) {
            return RunFolder.find(runs.folder(), named);
        }
        RunFolder run =
                RunStore.fetch(
                        named,
                        runs.folder(),
                        System::getenv,
                        come -> terminal.live("fetching  " + Units.bytes(come)));
        terminal.endLive();
        return run;
    }

    /** The job that was made of data, to be shown; nothing where the user wrote it. */
    private List<String> made(JobSpec job) {
        return file != null && data.areMeant(file) ? DataOptions.said(job) : List.of();
    }

    /** Asked to go on with a run that is done: no error, so that a script may ask until it is. */
    private int nothingLeft(RunFolder run) {
        RunSummary summary = RunRecord.summary(run);
        Trained trained =
                new Trained(
                        run.path().toString(),
                        JobWords.of(RunOutcome.Kind.COMPLETED),
                        summary,
                        run.model().toString(),
                        run.report().toString());
        if (!json.printed(terminal, trained)) {
            terminal.print(
                    "%s is done, after %s steps: nothing is left to do. To train its model further:"
                                    .formatted(run.path(), Units.count(summary.steps()))
                            + " medley train JOB.yaml --init "
                            + run.model());
        }
        return ExitCode.DONE;
    }

    private JobSpec job(RunOptions how) {
        JobSpec job = anyJob(how);
        if (how.replay() != null) {
            ReplayedRun.requireFit(how.replay(), how, job);
        }
        return job;
    }

    private JobSpec anyJob(RunOptions how) {
        if (how.resume() == null) {
            if (file == null) {
                throw new ConfigException(
                        "train needs a job file, data (with --label COLUMN for a table), or"
                                + " --resume RUN: see medley train --help");
            }
            return jobOptions.read(file, data, terminal);
        }
        if (file != null || data.areGiven() || jobOptions.changeMoreThanWorkers()) {
            throw new ConfigException(
                    "--resume goes on with the run's own job; only who computes may differ"
                        + " (--workers, --listen, --expect, --interface, --credentials,"
                        + " --token-file): leave out the job file, data and -s, or train anew with"
                        + " --init "
                            + how.resume().resolve("model"));
        }
        JobSpec recorded = JobRun.jobOf(how.resume());
        // The machines of a run on Spark were its application's.
        return jobOptions.resumed(engine == null ? recorded : JobWorkers.joining(recorded, null));
    }

    private RunOptions runOptions() {
        RunOptions how = RunOptions.in(runs.folder()).saidAs(said());
        if (resume != null) {
            how = how.resuming(resumed(resume).path());
        }
        if (replay != null) {
            how = how.replaying(RunFolder.find(runs.folder(), replay).path());
        }
        if (initial != null) {
            how = how.startingFrom(ModelOfRun.find(runs.folder(), initial));
        }
        if (rescue != null) {
            how = how.rescuingTo(rescue);
        }
        if (isWithoutGuesses) {
            how = how.withoutGuesses();
        }
        if (metrics != null) {
            Serving figures = Serving.parse(metrics); // Refused before data is prepared.
            how = how.serving(isLive ? figures.withPage() : figures);
        } else if (isLive) {
            how = how.serving(Serving.live());
        }
        return how;
    }

    private String said() {
        return "medley " + String.join(" ", originalArguments());
    }

    private void print(RunResult result) {
        RunFolder folder = result.folder();
        Trained trained =
                new Trained(
                        folder.path().toString(),
                        JobWords.of(result.outcome().kind()),
                        result.summary(),
                        folder.model().toString(),
                        result.report().toString());
        if (!json.printed(terminal, trained)) {
            new RunEnd(terminal).print(folder, result.summary());
            boolean hasModel = Files.isDirectory(folder.model());
            if (hasModel && result.outcome().kind() == RunOutcome.Kind.COMPLETED) {
                Samples.print(terminal, folder.model());
            }
        }
    }

    private static int exitCode(RunResult result) {
        return switch (result.outcome().kind()) {
            case COMPLETED -> ExitCode.DONE;
            case INTERRUPTED -> ExitCode.INTERRUPTED;
            case FAILED -> isOfInput(result.outcome().failure()) ? ExitCode.INPUT : ExitCode.FAILED;
        };
    }

    private static boolean isOfInput(@Nullable FailureKind failure) {
        return failure != null && failure.isOfInput();
    }
}

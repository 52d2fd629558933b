package dev.medley.cli.serving;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.run.JobRun;
import dev.medley.api.track.Tracking;
import dev.medley.base.time.Clock;
import dev.medley.cli.option.ModelOfRun;
import dev.medley.cli.option.Options;
import dev.medley.cli.option.RunsOption;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.serving.batch.BatchLimits;
import dev.medley.serving.follow.AliasWatch;
import dev.medley.serving.follow.CanaryJudge;
import dev.medley.serving.follow.FailedLoads;
import dev.medley.serving.follow.FollowedAlias;
import dev.medley.serving.host.MemoryBudget;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServeLimits;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.http.ModelServer;
import dev.medley.serving.http.ServeCallers;
import dev.medley.serving.http.ServeObservers;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServerLimits;
import dev.medley.serving.mlflow.MlflowReading;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.TrafficDeeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import sun.misc.Signal;

/** Serves trained models over HTTP and gRPC. */
@Command(
        name = "serve",
        header = "Answer with trained models, over HTTP and gRPC.",
        description = {
            "",
            "Speaks the Open Inference Protocol (KServe, Triton), version 1 of it, and takes raw",
            "rows in JSON or CSV, encoded as in training: see docs/serving.md. Rows of many"
                    + " callers",
            "are computed in batches; each gets its own."
        },
        footer = {
            "",
            "Examples:",
            "  medley serve latest",
            "  medley serve churn=runs/churn-20261121-101500/model --listen 127.0.0.1:8080",
            "  curl localhost:8080/v1/models/churn:rows -d '{\"tenure\": 3, \"contract\":"
                    + " \"monthly\"}'",
            "  medley serve churn=latest segments=runs/segments-20261120-090000 --p99 20",
            "  medley serve registry:churn@production"
        })
public final class ServeCommand extends Options implements Callable<Integer> {
    private static final String REGISTRY = "registry:";

    @Mixin private RunsOption runs = new RunsOption();
    @Mixin private RegistryOption registry = new RegistryOption();
    @Mixin private BesideOptions beside = new BesideOptions();

    @Parameters(
            arity = "1..*",
            paramLabel = "[NAME=]MODEL",
            description = {
                "A model folder; a run: its folder, its name, or latest; or",
                "registry:NAME@ALIAS, which follows the alias."
            })
    private List<String> models = new ArrayList<>();

    @Mixin private ListenOption listen = new ListenOption();

    @Option(
            names = "--p99",
            paramLabel = "MS",
            description =
                    "Milliseconds that hardly an answer may take; batches are no larger than that"
                            + " allows (default: ${DEFAULT-VALUE}).")
    private double p99Millis = 50;

    @Option(
            names = "--batch",
            paramLabel = "ROWS",
            description = "Rows of a batch at most (default: ${DEFAULT-VALUE}).")
    private int batch = BatchLimits.USUAL.mostRows();

    @Option(
            names = "--queue",
            paramLabel = "ROWS",
            description = "Rows that may wait; more are refused (default: ${DEFAULT-VALUE}).")
    private int queue = BatchLimits.USUAL.mostWaitingRows();

    @Option(
            names = "--engine",
            paramLabel = "WORD",
            description = "libtorch or onnx (default: the faster one, by a trial).")
    private @Nullable String engine;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "With which one batch is computed (default: ${DEFAULT-VALUE}).")
    private int threads = 1;

    @Option(
            names = "--copies",
            paramLabel = "N",
            description = "Batches of a model at the same time (default: ${DEFAULT-VALUE}).")
    private int copies = 1;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = {
                "Memory for models, as 2GiB: where a new version has no room beside the old one,",
                "that is closed first and requests wait (default: what the machine has free)."
            })
    private @Nullable String memory;

    @Option(
            names = "--mlflow",
            description =
                    "Tell of the runs and of the registry under /api/2.0/mlflow, too, for MLflow's"
                            + " clients to read.")
    private boolean tellsOfRuns;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public ServeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * What is served under a name.
     *
     * @param wanted a version or an alias of the registry; null for a folder
     */
    private record Named(ModelName name, Path folder, @Nullable String wanted) {}

    @Override
    public Integer call() throws InterruptedException {
        check(
                p99Millis >= 1 && p99Millis <= 600_000,
                "--p99 %s: give milliseconds, from 1 to 600000",
                p99Millis);
        ServeLimits limits =
                new ServeLimits(
                        new BatchLimits((long) (p99Millis * 1e6), batch, queue),
                        engine,
                        threads,
                        copies);
        ServeSocket socket = listen.socket();
        ServeCallers callers = listen.callers(beside.oidc(terminal::say));
        List<Named> named = named();
        CountDownLatch end = new CountDownLatch(1);
        for (String signal : List.of("INT", "TERM")) {
            Signal.handle(new Signal(signal), s -> end.countDown());
        }
        try (ServeObservers observers = beside.observers(terminal::say);
                ModelHost host = new ModelHost(limits, budget(), Clock.system())) {
            named.forEach(each -> host.add(each.name(), each.folder()));
            for (Named each : named) {
                ServedModel model = host.load(each.name(), each.folder());
                terminal.say("%s: %s".formatted(each.name(), model.engine()));
            }
            TrafficDeeds deeds = new TrafficDeeds(registry.registry());
            try (CanaryJudge judge = new CanaryJudge(host, deeds, Clock.system(), terminal::say);
                    ModelServer server =
                            ModelServer.open(
                                    host,
                                    socket,
                                    callers,
                                    observers,
                                    ServerLimits.usual(),
                                    mlflow(),
                                    Clock.system())) {
                beside.sayUnknownMasks(host, terminal::say);
                List<FollowedAlias> aliases = followed(named, host, judge);
                String root = ListenOption.root(socket, server.address());
                terminal.say("serving at " + root);
                named.forEach(
                        each ->
                                terminal.say(
                                        "  %s/v1/models/%s:rows takes rows, %s/v2/models/%s/infer arrays"
                                                .formatted(
                                                        root,
                                                        each.name().name(),
                                                        root,
                                                        each.name().name())));
                terminal.say("  %s/ is a page on which they are tried by hand".formatted(root));
                try (AliasWatch unused = AliasWatch.of(aliases)) {
                    end.await();
                }
                terminal.say("ending: requests under way are answered");
            }
        }
        return ExitCode.DONE;
    }

    private MemoryBudget budget() {
        String said = memory;
        return said == null
                ? MemoryBudget.measured()
                : MemoryBudget.of(TrafficWords.bytes("--memory", said));
    }

    private @Nullable MlflowReading mlflow() {
        return tellsOfRuns
                ? new MlflowReading(
                        runs.folder(),
                        run -> Tracking.settings(JobRun.jobOf(run.path())),
                        registry.registry())
                : null;
    }

    /** What is to be followed: versions of an alias, but not one that is named by its number. */
    private List<FollowedAlias> followed(List<Named> named, ModelHost host, CanaryJudge judge) {
        FailedLoads failed = new FailedLoads(Clock.system());
        Registry watched = registry.registry();
        return named.stream()
                .filter(each -> each.wanted() != null && !each.wanted().matches("\\d+"))
                .map(
                        each ->
                                new FollowedAlias(
                                        host,
                                        watched,
                                        judge,
                                        failed,
                                        terminal::say,
                                        String.valueOf(each.wanted()),
                                        each.name()))
                .toList();
    }

    private Named ofRegistry(String name, String wanted) {
        Registry versions = registry.registry();
        int version = versions.find(name, wanted);
        return new Named(new ModelName(name, "" + version), versions.model(name, version), wanted);
    }

    private List<Named> named() {
        List<Named> all = new ArrayList<>();
        for (String model : models) {
            if (model.startsWith(REGISTRY)) {
                String meant = model.substring(REGISTRY.length());
                int at = meant.indexOf('@');
                all.add(
                        at < 0
                                ? ofRegistry(meant, Registry.PRODUCTION)
                                : ofRegistry(meant.substring(0, at), meant.substring(at + 1)));
                continue;
            }
            int equals = model.indexOf('=');
            String where = equals < 0 ? model : model.substring(equals + 1);
            Path folder = ModelOfRun.find(runs.folder(), where);
            String name = equals < 0 ? nameOf(folder) : model.substring(0, equals);
            all.add(new Named(new ModelName(name, "1"), folder, null));
        }
        return all;
    }

    /** The name of the model's job, or of its folder. */
    private static String nameOf(Path folder) {
        Path whole = folder.toAbsolutePath().normalize();
        Path last = whole.getFileName();
        Path parent = whole.getParent();
        boolean isInRun =
                last != null
                        && last.toString().equals("model")
                        && parent != null
                        && parent.getFileName() != null;
        String name =
                isInRun && parent != null
                        ? String.valueOf(parent.getFileName()).replaceFirst("-\\d{8}-\\d{6}.*$", "")
                        : String.valueOf(last);
        return name.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
    }
}

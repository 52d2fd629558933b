package dev.medley.cli.command;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.job.PriceFile;
import dev.medley.api.run.RunProgress;
import dev.medley.api.simulate.ModelProfile;
import dev.medley.api.simulate.Simulation;
import dev.medley.api.simulate.SimulationTable;
import dev.medley.base.ConfigException;
import dev.medley.cli.option.JobOptions;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.plan.simulator.ScalingStudy.Growth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what a job or a well-known model would do on 1 to 4,096 machines. */
@Command(
        name = "simulate",
        header = "Say what more machines would bring, before they are rented.",
        description = {
            "",
            "Simulates training on the machines and links of a cluster file, for growing numbers"
                    + " of",
            "machines in the same mix: samples/s, speed-up, efficiency, hours, bytes and cost of"
                    + " each",
            "strategy. Speeds come from the cluster file; nothing is trained. What is modelled and",
            "what is not: docs/simulate.md."
        },
        footer = {
            "",
            "A cluster file:",
            "  machines:",
            "    - {name: fast, site: aws, count: 2, speed: 1900, price_per_hour: 0.40}",
            "    - {name: slow, site: gcp, count: 4, speed: {alpha_ms: 2, beta_ms: 1.1}}",
            "  links:",
            "    inside: {latency: 0.2 ms, bandwidth: 1 Gbit/s}",
            "    between: {latency: 20 ms, bandwidth: 100 Mbit/s}",
            "",
            "Examples:",
            "  medley simulate cluster.yaml job.yaml",
            "  medley simulate runs/cnn-20261123-081500 --machines 4,8,16",
            "  medley simulate cluster.yaml --model resnet50-imagenet --machines 8,64,512",
            "  medley simulate cluster.yaml job.yaml --batch fixed --report scaling.html"
        })
public final class SimulateCommand extends Options implements Callable<Integer> {
    private static final int MOST_MACHINES = 4096;

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private JobOptions job = new JobOptions();

    @Parameters(
            index = "0",
            arity = "1",
            paramLabel = "CLUSTER.yaml",
            description =
                    "Machines and links; or the folder of a run on machines that joined, which is"
                            + " simulated on more such machines.")
    private Path cluster = Path.of("");

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "JOB.yaml",
            description = "The job file; or name a profile with --model.")
    private @Nullable Path file;

    @Option(
            names = "--model",
            paramLabel = "PROFILE",
            description =
                    "A model with published speeds in place of a job: resnet50-imagenet or"
                            + " transformer-xl-wikitext103.")
    private @Nullable String model;

    @Option(
            names = "--machines",
            split = ",",
            paramLabel = "N",
            description = "Numbers of machines; 1,2,4,...,1024 if not said otherwise.")
    private List<Integer> numbers = Simulation.USUAL_NUMBERS;

    @Option(
            names = "--batch",
            paramLabel = "grows|fixed",
            description =
                    "What becomes of train.batch, which is that of the cluster as the file has it:"
                            + " it grows with the machines, or stays. Default: ${DEFAULT-VALUE}.")
    private String batch = "grows";

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            description =
                    "Prices of machines by type, and of traffic, in place of those of the cluster"
                            + " file.")
    private @Nullable Path prices;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write the table and its plots as one HTML file.")
    private @Nullable Path report;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public SimulateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Path folder = report == null ? null : report.toAbsolutePath().getParent();
        check(
                folder == null || Files.isDirectory(folder),
                "--report %s: there is no folder %s",
                report,
                folder);
        Simulation simulation = simulated(question());
        terminal.endLive();
        if (!json.printed(terminal, simulation)) {
            terminal.print(SimulationTable.lines(simulation));
        }
        if (report != null) {
            terminal.say("report: " + SimulationTable.writeReport(simulation, report));
        }
        return ExitCode.DONE;
    }

    private Simulation.Question question() {
        for (int number : numbers) {
            check(
                    number >= 1 && number <= MOST_MACHINES,
                    "--machines %d: from 1 to %d",
                    number,
                    MOST_MACHINES);
        }
        List<Integer> ascending = numbers.stream().distinct().sorted().toList();
        return new Simulation.Question(
                ascending, growth(), prices == null ? null : PriceFile.read(prices));
    }

    private Growth growth() {
        return switch (batch.toLowerCase(Locale.ROOT)) {
            case "grows" -> Growth.GROWS;
            case "fixed" -> Growth.FIXED;
            default -> throw new ConfigException("--batch %s: grows or fixed".formatted(batch));
        };
    }

    private Simulation simulated(Simulation.Question question) {
        if (Files.isDirectory(cluster)) {
            check(
                    file == null && model == null && !job.areGiven(),
                    "%s is the folder of a run, whose own job is simulated: leave the job file,"
                            + " --model and -s out, or name a cluster file",
                    cluster);
            return Simulation.of(cluster, question, preparing());
        }
        check(
                (file == null) != (model == null),
                file == null
                        ? "medley simulate needs a model: name a job file after the cluster file,"
                                + " or --model resnet50-imagenet"
                        : "a job file and --model %s: leave one of them out",
                model);
        check(
                file != null || !job.areGiven(),
                "--model %s: options of a job say nothing without one; leave them out",
                model);
        if (file == null) {
            return Simulation.of(cluster, ModelProfile.of("" + model), question);
        }
        return Simulation.of(cluster, job.readAnywhere(file).spec(), question, preparing());
    }

    private RunProgress preparing() {
        return new RunProgress() {
            @Override
            public void preparing(String phase, long done, long total) {
                terminal.live(phase);
            }
        };
    }
}

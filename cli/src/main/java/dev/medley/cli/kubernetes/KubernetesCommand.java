package dev.medley.cli.kubernetes;

import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.kubernetes.install.Installation;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.submit.JobSketch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what is applied to a cluster. */
@Command(
        name = "kubernetes",
        header = "Print what Kubernetes is told: the operator, a job, a hub's agents.",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  medley kubernetes install --image registry.example/medley:1.0 | kubectl apply -f -",
            "  medley kubernetes yaml job.yaml --flavor cpu,min=2,max=8 | kubectl apply -f -",
            "  medley kubernetes agents --hub 10.0.0.5:7070 --credentials certs/pods --image"
                    + " registry.example/medley:1.0 | kubectl apply -f -"
        })
public final class KubernetesCommand extends Options implements Runnable {
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Spec
    private CommandSpec spec;

    /** With its subcommands, which print to {@code terminal}. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new KubernetesCommand())
                .addSubcommand(new InstallCommand(terminal))
                .addSubcommand(new YamlCommand(terminal))
                .addSubcommand(new AgentsCommand(terminal))
                .addSubcommand(new TrainerCommand(terminal));
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "A command is missing: install, yaml, agents or trainer");
    }

    /** Prints the operator and what it needs. */
    @Command(
            name = "install",
            header = "Print the resource MedleyJob, the operator, and its rights.",
            footer = {
                "",
                "Examples:",
                "  medley kubernetes install --image registry.example/medley:1.0 | kubectl apply -f"
                        + " -"
            })
    static final class InstallCommand extends Options implements Callable<Integer> {
        @Option(
                names = "--image",
                paramLabel = "IMAGE",
                required = true,
                description = "Medley of this build, for the operator and for jobs.")
        private String image = "";

        @Option(
                names = "--namespace",
                paramLabel = "NAME",
                description = "Of the operator (default: ${DEFAULT-VALUE}).")
        private String namespace = "medley-system";

        private final Terminal terminal;

        InstallCommand(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            terminal.print(Installation.yaml(namespace, image));
            return ExitCode.DONE;
        }
    }

    /** Prints what Kubeflow's Trainer needs to train with Medley. */
    @Command(
            name = "trainer",
            header = "Print a runtime for TrainJobs of Kubeflow's Trainer.",
            footer = {
                "",
                "Examples:",
                "  medley kubernetes trainer --image registry.example/medley:1.0 --namespace team-a"
                        + " | kubectl apply -f -"
            })
    static final class TrainerCommand extends Options implements Callable<Integer> {
        @Option(
                names = "--image",
                paramLabel = "IMAGE",
                required = true,
                description = "Medley and a JDK.")
        private String image = "";

        @Option(
                names = "--namespace",
                paramLabel = "NAME",
                description = "Of TrainJobs; once for each (default: ${DEFAULT-VALUE}).")
        private String namespace = "default";

        private final Terminal terminal;

        TrainerCommand(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            terminal.print(Installation.trainer(namespace, image, Clock.system()).stripTrailing());
            return ExitCode.DONE;
        }
    }

    /** Prints the MedleyJob of a job file. */
    @Command(
            name = "yaml",
            header = "Print what would be applied for a job file.",
            footer = {
                "",
                "Examples:",
                "  medley kubernetes yaml job.yaml",
                "  medley kubernetes yaml job.yaml --flavor cpu,min=2,max=8,cpu=4,memory=8Gi"
                        + " --runs-volume 10Gi",
                "  medley kubernetes yaml job.yaml --objects"
            })
    static final class YamlCommand extends Options implements Callable<Integer> {
        @Mixin private KubernetesOptions options = new KubernetesOptions();

        @Parameters(index = "0", paramLabel = "JOB.yaml", description = "The job file.")
        private Path file = Path.of("");

        @Option(
                names = {"-s", "--set"},
                paramLabel = "KEY=VALUE",
                description = "Override a key of the job file; may be repeated.")
        private List<String> settings = new ArrayList<>();

        @Option(names = "--objects", description = "Print what the operator would make of it, too.")
        private boolean hasObjects;

        private final Terminal terminal;

        YamlCommand(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            MedleyJob job = options.job(file, settings, "default");
            terminal.print(JobSketch.yaml(job).stripTrailing());
            if (hasObjects) {
                terminal.print(Installation.objects(job).stripTrailing());
            }
            return ExitCode.DONE;
        }
    }
}

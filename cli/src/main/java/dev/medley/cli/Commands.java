package dev.medley.cli;

import dev.medley.base.Version;
import dev.medley.cli.command.AgentCommand;
import dev.medley.cli.command.CertsCommand;
import dev.medley.cli.command.DoctorCommand;
import dev.medley.cli.command.EvaluateCommand;
import dev.medley.cli.command.ExportCommand;
import dev.medley.cli.command.GenerateCommand;
import dev.medley.cli.command.ModelsCommand;
import dev.medley.cli.command.PlanCommand;
import dev.medley.cli.command.PredictCommand;
import dev.medley.cli.command.ProfileCommand;
import dev.medley.cli.command.ReportCommand;
import dev.medley.cli.command.SimulateCommand;
import dev.medley.cli.command.TrainCommand;
import dev.medley.cli.data.DataCommand;
import dev.medley.cli.fleet.ChangeCommand;
import dev.medley.cli.fleet.FleetCommand;
import dev.medley.cli.fleet.HubCommand;
import dev.medley.cli.fleet.HubJobCommand;
import dev.medley.cli.fleet.JobChangeCommand;
import dev.medley.cli.fleet.JobsCommand;
import dev.medley.cli.fleet.LogsCommand;
import dev.medley.cli.fleet.SubmitCommand;
import dev.medley.cli.fleet.TopCommand;
import dev.medley.cli.fleet.WhyCommand;
import dev.medley.cli.history.RunsCommand;
import dev.medley.cli.kubernetes.KubernetesCommand;
import dev.medley.cli.kubernetes.NodeCommand;
import dev.medley.cli.kubernetes.OperatorCommand;
import dev.medley.cli.kubernetes.PodJobCommand;
import dev.medley.cli.loop.LoopCommand;
import dev.medley.cli.serving.RegistryCommands;
import dev.medley.cli.serving.RouteCommand;
import dev.medley.cli.serving.ServeCommand;
import dev.medley.cli.tenant.DoorCommand;
import dev.medley.cli.terminal.Terminal;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds the root command and the table of all others. */
@Command(
        name = "medley",
        synopsisSubcommandLabel = "COMMAND",
        header = "Trains machine-learning models on machines that differ.",
        description = {"", "A job is a YAML file; 'medley COMMAND --help' explains each command."},
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  medley train examples/quickstart.yaml",
            "  medley runs list",
            "  medley doctor",
            "",
            "Exit codes: 0 done, 1 failed, 2 the input cannot be used, 130 interrupted."
        })
final class Commands implements Runnable {
    private static final List<String> NAMES =
            List.of(
                    "train",
                    "agent",
                    "plan",
                    "simulate",
                    "evaluate",
                    "predict",
                    "serve",
                    "route",
                    "generate",
                    "export",
                    "runs",
                    "report",
                    "models",
                    "loop",
                    "door",
                    "data",
                    "profile",
                    "certs",
                    "doctor",
                    "hub",
                    "submit",
                    "jobs",
                    "why",
                    "logs",
                    "top",
                    "fleet",
                    "cancel",
                    "change",
                    "pause",
                    "resume",
                    "kubernetes",
                    "operator",
                    "hub-job",
                    "pod-job",
                    "node");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean isHelpAsked;

    @Option(names = "--version", description = "Show Medley's version and exit.")
    private boolean isVersionAsked;

    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Spec
    private CommandSpec spec;

    private final Terminal terminal;

    private Commands(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * The command line for {@code args}: only the command that is asked for is loaded; all of them
     * where there is help or a guess to give.
     */
    static CommandLine line(Terminal terminal, String... args) {
        CommandLine line = new CommandLine(new Commands(terminal));
        String asked = args.length == 0 ? "" : args[0];
        if (NAMES.contains(asked)) {
            add(line, asked, terminal);
        } else {
            NAMES.forEach(name -> add(line, name, terminal));
        }
        line.setOut(terminal.out());
        line.setErr(terminal.err());
        line.setColorScheme(CommandLine.Help.defaultColorScheme(terminal.ansi()));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpWidth(100);
        space(line);
        return line;
    }

    /** An empty line between a command's description and its options. */
    private static void space(CommandLine line) {
        UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        boolean hasParameters = !line.getCommandSpec().positionalParameters().isEmpty();
        usage.parameterListHeading("%n");
        usage.optionListHeading(hasParameters ? "" : "%n");
        line.getSubcommands().values().forEach(Commands::space);
    }

    private static void add(CommandLine line, String name, Terminal terminal) {
        line.addSubcommand(name, command(name, terminal));
    }

    /** A switch, so that the classes of the other commands are not loaded. */
    private static Object command(String name, Terminal terminal) {
        return switch (name) {
            case "train" -> new TrainCommand(terminal);
            case "agent" -> new AgentCommand(terminal);
            case "plan" -> new PlanCommand(terminal);
            case "simulate" -> new SimulateCommand(terminal);
            case "profile" -> new ProfileCommand(terminal);
            case "evaluate" -> new EvaluateCommand(terminal);
            case "predict" -> new PredictCommand(terminal);
            case "serve" -> new ServeCommand(terminal);
            case "route" -> new RouteCommand(terminal);
            case "generate" -> new GenerateCommand(terminal);
            case "export" -> new ExportCommand(terminal);
            case "runs" -> RunsCommand.line(terminal);
            case "report" -> new ReportCommand(terminal);
            case "models" ->
                    RegistryCommands.addTo(new CommandLine(new ModelsCommand(terminal)), terminal);
            case "loop" -> LoopCommand.line(terminal);
            case "door" -> DoorCommand.line(terminal);
            case "data" -> DataCommand.line(terminal);
            case "certs" -> new CertsCommand(terminal);
            case "doctor" -> new DoctorCommand(terminal);
            case "hub" -> HubCommand.line(terminal);
            case "submit" -> new SubmitCommand(terminal);
            case "jobs" -> new JobsCommand(terminal);
            case "why" -> new WhyCommand(terminal);
            case "logs" -> new LogsCommand(terminal);
            case "top" -> new TopCommand(terminal);
            case "fleet" -> FleetCommand.line(terminal);
            case "cancel" -> new JobChangeCommand.Cancel(terminal);
            case "change" -> new ChangeCommand(terminal);
            case "pause" -> new JobChangeCommand.Pause(terminal);
            case "resume" -> new JobChangeCommand.Resume(terminal);
            case "kubernetes" -> KubernetesCommand.line(terminal);
            case "operator" -> new OperatorCommand(terminal);
            case "hub-job" -> new HubJobCommand(terminal);
            case "pod-job" -> new PodJobCommand(terminal);
            case "node" -> new NodeCommand(terminal);
            default -> throw new IllegalStateException("no command " + name);
        };
    }

    @Override
    public void run() {
        if (isVersionAsked) {
            terminal.print(Version.line());
        } else if (!isHelpAsked) {
            throw new ParameterException(spec.commandLine(), "A command is missing");
        }
    }
}

package dev.medley.cli.fleet;

import dev.medley.cli.fleet.study.FleetSimulateCommand;
import dev.medley.cli.fleet.study.FleetSpotCommand;
import dev.medley.cli.fleet.study.FleetTrainCommand;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.hub.service.FleetStatus;
import dev.medley.hub.service.MachineStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists a hub's machines, and groups the commands about fleets. */
@Command(
        name = "fleet",
        header = "List a hub's machines; simulate and train how a fleet is scheduled.",
        commandListHeading = "%nCommands:%n",
        footer = {"", "Examples:", "  medley fleet", "  medley fleet --json"})
public final class FleetCommand extends Options implements Callable<Integer> {
    @Mixin private HubOption hub = new HubOption();
    @Mixin private JsonOption json = new JsonOption();

    private final Terminal terminal;

    private FleetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** With its subcommands, which print to {@code terminal}. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new FleetCommand(terminal))
                .addSubcommand(new FleetSimulateCommand(terminal))
                .addSubcommand(new FleetSpotCommand(terminal))
                .addSubcommand(new FleetTrainCommand(terminal));
    }

    @Override
    public Integer call() {
        FleetStatus fleet = hub.client().fleet();
        if (!json.printed(terminal, fleet)) {
            lines(fleet).forEach(terminal::print);
        }
        return ExitCode.DONE;
    }

    static List<String> lines(FleetStatus fleet) {
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "%d machines, decided by %s, %.2f spent",
                        fleet.machines().size(),
                        fleet.policy(),
                        fleet.cost()));
        lines.add(
                "%-16s %-12s %-8s %-12s %9s  %s"
                        .formatted("machine", "site", "state", "jobs", "an hour", "type"));
        for (MachineStatus machine : fleet.machines()) {
            Double price = machine.pricePerHour();
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%-16s %-12s %-8s %-12s %9s  %s%s",
                            OneLine.of(machine.name()),
                            OneLine.of(machine.site()),
                            machine.health(),
                            machine.jobs().toString().replaceAll("[\\[\\]]", ""),
                            price == null ? "" : String.format(Locale.ROOT, "%.3f", price),
                            OneLine.of(machine.type()),
                            machine.spot() ? " (spot)" : ""));
        }
        return lines;
    }
}

package dev.medley.cli.command;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.agent.ThisMachine;
import dev.medley.api.run.ClusterSurvey;
import dev.medley.api.run.ClusterSurvey.Found;
import dev.medley.api.run.RunOptions;
import dev.medley.cli.option.ClusterOptions;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.ClusterTable;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.profile.machine.MachineTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures this machine, or the links between machines that join. */
@Command(
        name = "profile",
        header = "Measure this machine, and say how sure each figure is.",
        description = {
            "",
            "Cores, memory and their limits (cgroups too), SIMD and bf16 support, matrix products"
                    + " in",
            "fp32 and bf16, memory and disk bandwidth, GPUs, virtualisation. Takes some seconds;",
            "measure while nothing else runs. Runs and agents on this machine use what was"
                    + " measured",
            "until the machine is another, for 30 days at most.",
            "",
            "With --cluster: waits for machines to join (medley agent), and measures latency and",
            "bandwidth of all ways between them. --json prints what medley plan --cluster reads",
            "from a file whose name ends with .json."
        },
        footer = {
            "",
            "Examples:",
            "  medley profile",
            "  medley profile --disk /data --json",
            "  medley profile --cluster --listen 0.0.0.0:7077 --expect 4 --credentials"
                    + " certs/trainer"
        })
public final class ProfileCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();

    @Option(
            names = "--disk",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "The folder whose disk is measured (default: this one).")
    private Path disk = Path.of(".");

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public ProfileCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        return cluster.isMeant() ? ofCluster() : ofThisMachine();
    }

    private int ofCluster() {
        Found found = ClusterSurvey.ways(cluster.join(), cluster.machines(), terminal::say);
        ClusterProfile profile = found.cluster();
        if (profile != null) {
            if (!json.printed(terminal, profile)) {
                terminal.print(ClusterTable.text(profile).stripTrailing());
            }
            return ExitCode.DONE;
        }
        terminal.say(found.allReached() ? why(found) : ReachTable.text(found).stripTrailing());
        return ExitCode.FAILED;
    }

    /** One sentence: of a way that drops both ends speak, and the others wait for them. */
    private static String why(Found found) {
        return "The ways could not be measured: "
                + (found.troubles().isEmpty()
                        ? "are all agents on one machine?"
                        : found.troubles().get(0));
    }

    private int ofThisMachine() {
        check(Files.isDirectory(disk), "--disk %s: there is no such folder; name one", disk);
        terminal.live("measuring");
        MachineProfile machine = ThisMachine.measure(disk, RunOptions.defaultCache());
        terminal.endLive();
        if (!json.printed(terminal, machine)) {
            terminal.print(MachineTable.text(machine).stripTrailing());
        }
        return ExitCode.DONE;
    }
}

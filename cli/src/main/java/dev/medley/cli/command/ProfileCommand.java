package dev.medley.cli.command;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.run.ThisMachine;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.profile.machine.MachineTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures this machine. */
@Command(
        name = "profile",
        header = "Measure this machine, and say how sure each figure is.",
        description = {
            "",
            "Cores, memory and their limits (cgroups too), SIMD and bf16 support, matrix products"
                    + " in",
            "fp32 and bf16, memory and disk bandwidth, GPUs, virtualisation. Takes some seconds;",
            "measure while nothing else runs."
        },
        footer = {"", "Examples:", "  medley profile", "  medley profile --disk /data --json"})
public final class ProfileCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();

    @Option(
            names = "--disk",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "The folder whose disk is measured (default: this one).")
    private Path disk = Path.of(".");

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public ProfileCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        check(Files.isDirectory(disk), "--disk %s: there is no such folder; name one", disk);
        terminal.live("measuring");
        MachineProfile machine = ThisMachine.measure(disk);
        terminal.endLive();
        if (!json.printed(terminal, machine)) {
            terminal.print(MachineTable.text(machine).stripTrailing());
        }
        return ExitCode.DONE;
    }
}

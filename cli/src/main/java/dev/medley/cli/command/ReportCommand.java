package dev.medley.cli.command;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.option.RunsOption;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.report.Report;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Writes the report of a run. */
@Command(
        name = "report",
        header = "Write the report of a run: one page that opens without a network.",
        description = {
            "",
            "Works for a run in any state, also for one that goes on or was killed. Without RUN,"
                    + " the",
            "newest one."
        },
        footer = {
            "",
            "Examples:",
            "  medley report",
            "  medley report quickstart            the newest run whose name begins so",
            "  medley report runs/adult-20261121-101500"
        })
public final class ReportCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RunsOption runs = new RunsOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "RUN",
            defaultValue = "latest",
            description = "A run's folder, its name, the beginning of it, or latest.")
    private String run = "latest";

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public ReportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Path report = Report.write(RunFolder.find(runs.folder(), run).path());
        if (!json.printed(terminal, Map.of("report", report.toString()))) {
            terminal.print(report.toString());
        }
        return ExitCode.DONE;
    }
}

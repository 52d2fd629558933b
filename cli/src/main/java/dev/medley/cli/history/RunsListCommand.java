package dev.medley.cli.history;

import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import dev.medley.base.text.Units;
import dev.medley.cli.option.JobWords;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.option.RunsOption;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the runs. */
@Command(
        name = "list",
        header = "List the runs, the newest first.",
        footer = {
            "",
            "Examples:",
            "  medley runs list",
            "  medley runs list --run-dir /data/runs --json"
        })
public final class RunsListCommand extends Options implements Callable<Integer> {
    /** A run as scripts see it. */
    record Listed(String name, String path, RunSummary summary) {}

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private RunsOption runs = new RunsOption();
    private final Terminal terminal;

    RunsListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        List<Listed> listed =
                RunFolder.list(runs.folder()).stream()
                        .map(f -> new Listed(f.name(), f.path().toString(), RunRecord.summary(f)))
                        .toList();
        if (json.printed(terminal, listed)) {
            return ExitCode.DONE;
        }
        if (listed.isEmpty()) {
            terminal.print("There are no runs in " + runs.folder().toAbsolutePath() + ".");
            return ExitCode.DONE;
        }
        TextTable table =
                new TextTable()
                        .column("run", Align.LEFT)
                        .column("state", Align.LEFT)
                        .column("steps", Align.RIGHT)
                        .column("metric", Align.LEFT)
                        .column("samples/s", Align.RIGHT)
                        .column("workers", Align.RIGHT)
                        .column("took", Align.RIGHT);
        listed.forEach(run -> table.row(row(run)));
        terminal.print(table.text().stripTrailing());
        return ExitCode.DONE;
    }

    private static List<String> row(Listed run) {
        RunSummary s = run.summary();
        String metric =
                s.metrics().isEmpty()
                        ? ""
                        : s.metrics().get(0).name()
                                + " "
                                + Units.metric(s.metrics().get(0).value());
        return List.of(
                run.name(),
                JobWords.of(s.state()),
                Units.count(s.steps()),
                metric,
                Units.count(Math.round(s.samplesPerSecond())),
                Integer.toString(s.workers().size()),
                Units.duration(s.durationMillis() * 1e6));
    }
}

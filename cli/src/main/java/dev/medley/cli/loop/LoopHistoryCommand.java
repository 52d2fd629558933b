package dev.medley.cli.loop;

import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.loop.run.Loop;
import dev.medley.loop.state.DecisionRecord;
import dev.medley.loop.state.LoopRun;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the runs of a loop and what was decided in them. */
@Command(
        name = "history",
        header = "Show a loop's runs and what was decided in them, the newest first.",
        footer = {
            "",
            "Examples:",
            "  medley loop history churn.yaml",
            "  medley loop history churn.yaml --last 100 --json"
        })
final class LoopHistoryCommand extends Options implements Callable<Integer> {
    /** What scripts see. */
    record History(List<LoopRun> runs, List<DecisionRecord> decisions) {}

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private LoopOption loop = new LoopOption();

    @Option(
            names = "--last",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many runs and decisions (default: ${DEFAULT-VALUE}).")
    private int last;

    private final Terminal terminal;

    LoopHistoryCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (Loop opened = loop.open()) {
            History history =
                    new History(opened.state().runs(last), opened.state().decisions(last));
            if (!json.printed(terminal, history)) {
                print(history);
            }
            return ExitCode.DONE;
        }
    }

    private void print(History history) {
        if (history.runs().isEmpty()) {
            terminal.print("no runs yet: medley loop run " + loop.file());
            return;
        }
        TextTable runs =
                new TextTable()
                        .column("Run", Align.RIGHT)
                        .column("Began", Align.LEFT)
                        .column("Cause", Align.LEFT)
                        .column("How", Align.LEFT)
                        .column("Why", Align.LEFT);
        for (LoopRun run : history.runs()) {
            runs.row(
                    List.of(
                            "" + run.number(),
                            LoopOption.time(run.beganMs()),
                            run.cause(),
                            run.outcome().name().toLowerCase(Locale.ROOT),
                            run.why()));
        }
        terminal.print(runs.text().stripTrailing());
        if (!history.decisions().isEmpty()) {
            terminal.print("");
            for (DecisionRecord each : history.decisions()) {
                terminal.print(
                        "run %d, %s: %s, since %s"
                                .formatted(each.run(), each.kind(), each.verdict(), each.why()));
            }
        }
    }
}

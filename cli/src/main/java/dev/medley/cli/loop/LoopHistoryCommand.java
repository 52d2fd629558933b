package dev.medley.cli.loop;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.loop.run.Loop;
import dev.medley.loop.state.DecisionRecord;
import dev.medley.loop.state.LoopRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the runs of a loop and what was decided in them. */
@Command(
        name = "history",
        header = "Show a loop's runs and what was decided in them, the newest first.",
        description = {
            "",
            "A line for each run and each decision, as wide as the terminal (100 columns without",
            "one); 'explain' tells all of a run, --json all of all."
        },
        footer = {
            "",
            "Examples:",
            "  medley loop history churn.yaml",
            "  medley loop history churn.yaml --last 100 --json"
        })
final class LoopHistoryCommand extends Options implements Callable<Integer> {
    private static final String MORE = "...";

    /** What scripts see. */
    record History(List<LoopRun> runs, List<DecisionRecord> decisions) {}

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private LoopOption loop = new LoopOption();

    @Option(
            names = "--last",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many runs (default: ${DEFAULT-VALUE}).")
    private int last;

    private final Terminal terminal;

    LoopHistoryCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (Loop opened = loop.open()) {
            List<LoopRun> runs = opened.state().runs(last);
            Set<Long> shown = runs.stream().map(LoopRun::number).collect(Collectors.toSet());
            History history =
                    new History(
                            runs,
                            opened.state().decisions(Integer.MAX_VALUE).stream()
                                    .filter(decision -> shown.contains(decision.run()))
                                    .toList());
            if (!json.printed(terminal, history)) {
                lines(history, terminal.columns()).forEach(terminal::print);
                terminal.print(
                        runs.isEmpty()
                                ? "no runs yet: medley loop run " + loop.file()
                                : "all of a run: medley loop explain %s %d"
                                        .formatted(loop.file(), runs.get(0).number()));
            }
            return ExitCode.DONE;
        }
    }

    /** A line for each run and each decision of it, none longer than so many columns. */
    static List<String> lines(History history, int columns) {
        List<String> lines = new ArrayList<>();
        for (LoopRun run : history.runs()) {
            lines.add(
                    cut(
                            "%5d  %s  %s, %s: %s"
                                    .formatted(
                                            run.number(),
                                            LoopOption.time(run.beganMs()),
                                            run.cause(),
                                            run.outcome().name().toLowerCase(Locale.ROOT),
                                            run.why()),
                            columns));
            for (DecisionRecord each : history.decisions()) {
                if (each.run() == run.number()) {
                    String text = "%s: %s".formatted(each.verdict(), each.why());
                    lines.add(cut("       %-9s %s".formatted(each.kind(), text), columns));
                }
            }
        }
        return lines;
    }

    /** One line of at most so many columns; what does not fit is in {@code explain}. */
    private static String cut(String text, int columns) {
        String line = text.replaceAll("\\R", " ").stripTrailing();
        int length = line.codePointCount(0, line.length());
        return length < columns
                ? line
                : line.substring(0, line.offsetByCodePoints(0, columns - 1 - MORE.length())) + MORE;
    }
}

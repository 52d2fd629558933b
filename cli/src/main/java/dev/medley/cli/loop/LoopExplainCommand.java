package dev.medley.cli.loop;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.loop.continuous.RunningStanding;
import dev.medley.loop.learn.WatchStage;
import dev.medley.loop.learn.Watched;
import dev.medley.loop.run.Loop;
import dev.medley.loop.state.DecisionRecord;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageRecord;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells all that is known of one run. */
@Command(
        name = "explain",
        header = "Tell all of a run: each stage, what was decided and by which numbers.",
        footer = {
            "",
            "Examples:",
            "  medley loop explain churn.yaml",
            "  medley loop explain churn.yaml 12"
        })
final class LoopExplainCommand extends Options implements Callable<Integer> {
    /** What scripts see. */
    record Explained(
            LoopRun run,
            List<StageRecord> stages,
            List<DecisionRecord> decisions,
            @Nullable RunningStanding running) {}

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private LoopOption loop = new LoopOption();

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "RUN",
            description = "The run's number (default: the last).")
    private @Nullable Long number;

    private final Terminal terminal;

    LoopExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (Loop opened = loop.open()) {
            LoopRun run = run(opened, number);
            Explained explained =
                    new Explained(
                            run,
                            opened.state().stages(run.number()),
                            opened.state().decisions(Integer.MAX_VALUE).stream()
                                    .filter(decision -> decision.run() == run.number())
                                    .toList(),
                            number != null || opened.spec().continuous() == null
                                    ? null
                                    : RunningStanding.of(opened.state()).orElse(null));
            if (!json.printed(terminal, explained)) {
                print(explained);
            }
            return ExitCode.DONE;
        }
    }

    /** The run of this number, or the last one. */
    static LoopRun run(Loop opened, @Nullable Long number) {
        return opened.state().runs(Integer.MAX_VALUE).stream()
                .filter(run -> number == null || run.number() == number)
                .findFirst()
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        number == null
                                                ? "loop %s has not run yet"
                                                        .formatted(opened.spec().name())
                                                : "loop %s has no run %d: see medley loop history"
                                                        .formatted(opened.spec().name(), number)));
    }

    private void print(Explained explained) {
        LoopRun run = explained.run();
        terminal.print(
                "run %d, %s, %s, began %s: %s"
                        .formatted(
                                run.number(),
                                run.cause(),
                                run.outcome().name().toLowerCase(Locale.ROOT),
                                LoopOption.time(run.beganMs()),
                                run.why()));
        RunningStanding running = explained.running();
        if (running != null) {
            terminal.print("running model: " + running.words());
        }
        for (StageRecord stage : explained.stages()) {
            terminal.print("");
            terminal.print(
                    terminal.styled("bold", stage.name())
                            + "  "
                            + stage.outcome().name().toLowerCase(Locale.ROOT));
            terminal.print("  " + stage.why());
            if (stage.name().equals(WatchStage.NAME) && !stage.result().isEmpty()) {
                terminal.print(WatchWords.table(Json.bind(stage.result(), Watched.class)));
            } else if (!stage.result().isEmpty()) {
                terminal.print("  " + Json.line(stage.result()));
            }
        }
        for (DecisionRecord decision : explained.decisions()) {
            terminal.print("");
            terminal.print(
                    terminal.styled("bold", "decided on " + decision.kind())
                            + "  "
                            + decision.verdict());
            terminal.print("  " + decision.why());
            if (!decision.kind().equals("drift")) { // Its numbers are those of the stage.
                terminal.print("  " + Json.line(decision.numbers()));
            }
        }
    }
}

package dev.medley.cli.loop;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.loop.learn.LearntRows;
import dev.medley.loop.learn.RowsStage;
import dev.medley.loop.run.Loop;
import dev.medley.loop.stage.Known;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Makes the rows of another time, as they were known then. */
@Command(
        name = "backfill",
        header = "Make the rows to learn from of another time, as they were known then.",
        description = {
            "With --run it makes those of a run again and compares them bit by bit; definitions of",
            "features and rows are those of the file as it is now. Nothing of the loop is changed."
        },
        footer = {
            "",
            "Examples:",
            "  medley loop backfill churn.yaml --run 12",
            "  medley loop backfill churn.yaml --as-of 2026-11-01T00:00:00Z -o november"
        })
final class LoopBackfillCommand extends Options implements Callable<Integer> {
    /** What scripts see. */
    record Backfilled(LearntRows rows, @Nullable Boolean isEqual) {}

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private LoopOption loop = new LoopOption();

    @Option(
            names = "--run",
            paramLabel = "RUN",
            description = "The run whose rows are made again and compared.")
    private @Nullable Long number;

    @Option(
            names = "--as-of",
            paramLabel = "TIME",
            description = "The time whose knowledge counts, as 2026-11-01T00:00:00Z.")
    private @Nullable String asOf;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FOLDER",
            description = "Where the files go (default: backfill beside the loop's runs).")
    private @Nullable Path out;

    private final Terminal terminal;

    LoopBackfillCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        check(
                (number == null) != (asOf == null),
                "backfill needs --run RUN or --as-of TIME, and not both");
        try (Loop opened = loop.open()) {
            Path folder = out == null ? opened.spec().memory().folder().resolve("backfill") : out;
            return number == null ? ofTime(opened, folder) : ofRun(opened, folder, number);
        }
    }

    private int ofTime(Loop opened, Path folder) throws IOException {
        Instant time;
        try {
            time = Instant.parse(String.valueOf(asOf));
        } catch (DateTimeParseException e) {
            throw new ConfigException(
                    "--as-of %s: is no time; write it as 2026-11-01T00:00:00Z".formatted(asOf), e);
        }
        LearntRows rows =
                opened.maker()
                        .make(time.toEpochMilli(), folder, opened.spec().promote().newest(), 0);
        if (!json.printed(terminal, new Backfilled(rows, null))) {
            terminal.print(words(rows));
        }
        return ExitCode.DONE;
    }

    private int ofRun(Loop opened, Path folder, long asked) throws IOException {
        LoopRun run = LoopExplainCommand.run(opened, asked);
        LearntRows before =
                result(opened, run, RowsStage.NAME)
                        .map(node -> Json.bind(node, LearntRows.class))
                        .orElseThrow(
                                () ->
                                        new ConfigException(
                                                "run %d made no rows: see medley loop explain"
                                                        .formatted(asked)));
        long asOfMs =
                result(opened, run, Known.NAME)
                        .map(node -> Json.bind(node, Known.class).asOfMs())
                        .orElse(run.asOfMs());
        LearntRows now = opened.maker().again(asOfMs, folder, before.cutMs());
        boolean isEqual = now.sha256().equals(before.sha256());
        if (!json.printed(terminal, new Backfilled(now, isEqual))) {
            terminal.print(words(now));
            terminal.print(
                    isEqual
                            ? "they are those of run %d, bit by bit".formatted(asked)
                            : ("they are not those of run %d, which had sha256 %s by %s:"
                                            + " definitions of the file have changed since")
                                    .formatted(asked, before.sha256(), before.features()));
        }
        return isEqual ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static Optional<JsonNode> result(Loop opened, LoopRun run, String stage) {
        return opened.state().stages(run.number()).stream()
                .filter(record -> record.name().equals(stage))
                .map(StageRecord::result)
                .filter(node -> !node.isEmpty())
                .findFirst();
    }

    private static String words(LearntRows rows) {
        return "%,d rows to learn from, %,d to judge by, sha256 %s%n%s"
                .formatted(rows.trainRows(), rows.newestRows(), rows.sha256(), rows.train());
    }
}

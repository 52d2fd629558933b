package dev.medley.cli.loop;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.connect.back.BackReport;
import dev.medley.connect.back.DeadLetter;
import dev.medley.loop.run.Loop;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows rows that a destination did not take, and sends them again. */
@Command(
        name = "letters",
        header = "Show rows that a destination did not take, with the reason, or send them again.",
        footer = {
            "",
            "Examples:",
            "  medley loop letters churn.yaml crm",
            "  medley loop letters churn.yaml crm --replay"
        })
final class LoopLettersCommand extends Options implements Callable<Integer> {
    /** What scripts see. */
    record Letters(String destination, List<DeadLetter> letters) {}

    @Mixin private JsonOption json = new JsonOption();
    @Mixin private LoopOption loop = new LoopOption();

    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Parameters(index = "1", paramLabel = "DESTINATION", description = "As the file calls it.")
    private String destination;

    @Option(names = "--replay", description = "Send them again now.")
    private boolean isReplayed;

    private final Terminal terminal;

    LoopLettersCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        try (Loop opened = loop.open()) {
            if (isReplayed) {
                BackReport report = opened.replay(destination);
                if (!json.printed(terminal, report)) {
                    terminal.print(
                            "%,d taken, %,d refused again"
                                    .formatted(report.written(), report.failed()));
                }
                return report.failed() == 0 ? ExitCode.DONE : ExitCode.FAILED;
            }
            List<DeadLetter> letters = opened.letters(destination);
            if (!json.printed(terminal, new Letters(destination, letters))) {
                print(letters);
            }
            return ExitCode.DONE;
        }
    }

    private void print(List<DeadLetter> letters) {
        if (letters.isEmpty()) {
            terminal.print("none: %s took all rows".formatted(destination));
        }
        for (DeadLetter letter : letters) {
            terminal.print(
                    "%s  %s, %d times, last %s: %s"
                            .formatted(
                                    letter.key(),
                                    letter.code(),
                                    letter.attempts(),
                                    LoopOption.time(letter.atMillis()),
                                    letter.reason()));
        }
    }
}

package dev.medley.cli.loop;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.loop.run.Loop;
import dev.medley.loop.spec.LoopFile;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.Parameters;

/** Names the loop that a command is about. */
final class LoopOption {
    private static final int DATE = "2026-11-01".length();

    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Parameters(index = "0", paramLabel = "LOOP.yaml", description = "The file of the loop.")
    private Path file;

    /** Opens it. */
    Loop open() {
        return new Loop(LoopFile.read(file), System::getenv, Clock.system());
    }

    /** The file as the user named it. */
    Path file() {
        return file;
    }

    /**
     * The moment that a user names.
     *
     * @param option whose value it is
     */
    static Instant moment(String option, String text) {
        try {
            return text.length() == DATE
                    ? LocalDate.parse(text)
                            .plusDays(1)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant()
                            .minusMillis(1)
                    : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new ConfigException(
                    ("%s %s: is no time; write it as 2026-11-01T00:00:00Z, or 2026-11-01 for the"
                                    + " end of that day")
                            .formatted(option, text),
                    e);
        }
    }

    /** A time for people. */
    static String time(long ms) {
        return Instant.ofEpochMilli(ms)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString()
                .replace('T', ' ');
    }
}

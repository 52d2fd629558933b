package dev.medley.cli.loop;

import dev.medley.base.time.Clock;
import dev.medley.loop.run.Loop;
import dev.medley.loop.spec.LoopFile;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.Parameters;

/** Names the loop that a command is about. */
final class LoopOption {
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

    /** A time for people. */
    static String time(long ms) {
        return Instant.ofEpochMilli(ms)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString()
                .replace('T', ' ');
    }
}

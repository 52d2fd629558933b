package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A command that cannot be carried out: exit code 2, and one line.
 *
 * @param command its words
 * @param words what the line has to say
 */
record Refused(String command, String... words) {
    /** Runs them all in a folder, and fails if one is not refused so. */
    static void assertAll(Path folder, Refused... commands) throws Exception {
        List<Said> all =
                ManyCommands.run(folder, Stream.of(commands).map(Refused::command).toList());
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < commands.length; i++) {
            if (!commands[i].isSaidBy(all.get(i))) {
                wrong.add("%s%n  %s".formatted(commands[i].command(), all.get(i)));
            }
        }
        assertThat(wrong).as("not refused with exit code 2 and one line that says why").isEmpty();
    }

    private boolean isSaidBy(Said said) {
        List<String> message = message(said);
        return said.exitCode() == 2
                && message.size() == 1
                && Stream.of(words).allMatch(message.get(0)::contains);
    }

    /** All that was said but for what was found in the data, which comes before. */
    private static List<String> message(Said said) {
        return Stream.concat(said.err().lines(), said.out().lines())
                .filter(line -> !line.isBlank() && !line.startsWith("  "))
                .filter(line -> !line.startsWith("Data: "))
                .toList();
    }
}

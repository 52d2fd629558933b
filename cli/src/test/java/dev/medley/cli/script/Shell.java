package dev.medley.cli.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a script of the start-up as a user's shell would, with an environment of the test's own. */
final class Shell {
    private static final Path ROOT = Path.of(System.getProperty("medley.root"));

    private final Map<String, String> environment = new HashMap<>();

    /** How a script ended and what it said. */
    record Said(int exitCode, String out, String err) {}

    /** The repository's folder. */
    static Path root() {
        return ROOT;
    }

    /** Writes an executable script. */
    static Path script(Path file, String... lines) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    /** Copies a script of the repository. */
    static Path copy(String script, Path to) throws IOException {
        return script(to, Files.readString(ROOT.resolve(script)));
    }

    /** Sets a variable; the test's own JAVA_HOME and the like are not passed on. */
    Shell with(String name, Object value) {
        environment.put(name, value.toString());
        return this;
    }

    /** Runs a command to its end. */
    Said run(Object... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        for (Object word : words) {
            command.add(word.toString());
        }
        Path out = Files.createTempFile("shell", ".out");
        Path err = Files.createTempFile("shell", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().keySet().removeIf(Shell::isOfTheStart);
            builder.environment().putAll(environment);
            builder.redirectOutput(out.toFile()).redirectError(err.toFile());
            Process process = builder.start();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
            return new Said(process.exitValue(), text(out), text(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static boolean isOfTheStart(String name) {
        return name.startsWith("MEDLEY_") || name.equals("JAVA_HOME") || name.equals("MAVEN");
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}

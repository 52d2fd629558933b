package dev.medley.cli.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.cli.ClassArchive;
import dev.medley.cli.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs {@code medley} as processes with a home, caches and temporary files of a test's own. */
final class DoorProcess implements AutoCloseable {
    private static final Pattern OPEN = Pattern.compile("the door is open at (http\\S+),");

    private final Process process;
    private final Path output;

    private DoorProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts {@code medley ARGS} in a folder, which holds all that it writes. */
    static DoorProcess start(Path folder, Map<String, String> variables, String... args)
            throws IOException {
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
        command.add("-Djava.io.tmpdir=" + temporary);
        command.addAll(ClassArchive.options(System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        command.addAll(List.of(args));
        Path output = Files.createTempFile(folder, "said-", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment().putAll(variables);
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        return new DoorProcess(builder.start(), output);
    }

    /** What a command said that ended well. */
    static String done(Path folder, Map<String, String> variables, String... args)
            throws Exception {
        try (DoorProcess command = start(folder, variables, args)) {
            assertThat(command.exitCode()).as(command.said()).isZero();
            return command.said();
        }
    }

    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    String said() throws IOException {
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    /** Where the door is, as soon as it says so. */
    String root() throws IOException {
        Matcher open = OPEN.matcher(said());
        while (!open.find()) {
            assertThat(process.isAlive()).as(said()).isTrue();
            LockSupport.parkNanos(10_000_000);
            open = OPEN.matcher(said());
        }
        return open.group(1);
    }

    /** Asks it to end, and waits. */
    int end() throws InterruptedException {
        process.destroy();
        return exitCode();
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

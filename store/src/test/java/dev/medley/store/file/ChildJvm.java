package dev.medley.store.file;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own that runs a class of the tests, prints lines, and is killed. */
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;

    private ChildJvm(Process process) {
        this.process = process;
        this.lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    public static ChildJvm start(Class<?> main, Object... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                ProcessHandle.current().info().command().orElse("java"),
                                "-XX:TieredStopAtLevel=1",
                                "-Xshare:auto",
                                "-Dslf4j.internal.verbosity=ERROR",
                                "-cp",
                                System.getProperty("java.class.path"),
                                main.getName()));
        Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
        return new ChildJvm(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** The next line; null at the end. */
    public String readLine() throws IOException {
        return lines.readLine();
    }

    /** Lets it run for so long, kills it with SIGKILL, and returns the lines not yet read. */
    public List<String> killAfter(long micros) throws Exception {
        if (process.waitFor(micros, TimeUnit.MICROSECONDS)) {
            throw new IllegalStateException("the child ended by itself: " + process.exitValue());
        }
        process.toHandle().destroyForcibly(); // the process's own method would close its output
        process.waitFor();
        List<String> rest = new ArrayList<>();
        for (String line = readLine(); line != null; line = readLine()) {
            rest.add(line);
        }
        return rest;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

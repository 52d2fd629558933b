package dev.medley.cli.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.cli.ClassArchive;
import dev.medley.cli.Main;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.record.folder.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The command as a process of its own, with its workers: started, watched, frozen and killed. */
final class MedleyProcess implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(180);

    /** Soon enough for what is waited for, and cheap where a look reads a file or a store. */
    private static final long LOOK_MILLIS = 10;

    private static final Pattern JOIN = Pattern.compile("--join (127\\.0\\.0\\.1:\\d+)");

    private final Process process;
    private final Path output;
    private final Clock clock = Clock.system();

    private Path runs;

    private MedleyProcess(Process process, Path runs, Path output) {
        this.process = process;
        this.runs = runs;
        this.output = output;
    }

    /** Starts {@code medley ARGS} in a folder, which also holds its caches. */
    static MedleyProcess start(Path folder, String... args) throws IOException {
        return start(folder, System.getProperty("java.class.path"), List.of(), args);
    }

    /** The same with more variables in its environment. */
    static MedleyProcess startWith(Map<String, String> variables, Path folder, String... args)
            throws IOException {
        List<String> env = new ArrayList<>(List.of("env"));
        variables.forEach((name, value) -> env.add(name + "=" + value));
        return start(folder, System.getProperty("java.class.path"), env, args);
    }

    /** The same on another class path, begun by the words of another program. */
    static MedleyProcess start(Path folder, String classPath, List<String> before, String... args)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
        command.addAll(ClassArchive.options(classPath));
        command.add(Main.class.getName());
        command.addAll(List.of(args));
        Path output = Files.createTempFile(folder, "said-", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        return new MedleyProcess(builder.start(), folder.resolve("runs"), output);
    }

    /**
     * Starts an agent that joins this command when it listens, with a folder of its name for its
     * caches.
     */
    MedleyProcess agent(Path parent, String name, String... more) throws Exception {
        return agent(List.of(), parent, name, more);
    }

    /** The same with the limits of a group, from its start on. */
    MedleyProcess agentIn(ControlGroup group, Path parent, String name, String... more)
            throws Exception {
        return agent(group.command(), parent, name, more);
    }

    private MedleyProcess agent(List<String> before, Path parent, String name, String... more)
            throws Exception {
        await("listening", () -> JOIN.matcher(said()).find());
        Matcher join = JOIN.matcher(said());
        assertThat(join.find()).isTrue();
        return agent(before, join.group(1), parent, name, more);
    }

    /** An agent of a coordinator that listens there. */
    static MedleyProcess agentOf(
            InetSocketAddress coordinator, Path parent, String name, String... more)
            throws IOException {
        String address = coordinator.getHostString() + ":" + coordinator.getPort();
        return agent(List.of(), address, parent, name, more);
    }

    private static MedleyProcess agent(
            List<String> before, String join, Path parent, String name, String... more)
            throws IOException {
        Path own = Files.createDirectories(parent.resolve(name));
        List<String> line = new ArrayList<>(List.of("agent", "--join", join));
        line.addAll(List.of("--name", name, "--folder", own.toString()));
        line.addAll(List.of(more));
        String classPath = System.getProperty("java.class.path");
        return start(own, classPath, before, line.toArray(String[]::new));
    }

    /** All that it has said. */
    String said() {
        try {
            return Files.readString(output, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the end. */
    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_NS, TimeUnit.NANOSECONDS)).as(said()).isTrue();
        return process.exitValue();
    }

    /** For a command with {@code --run-dir}. */
    MedleyProcess runsIn(String folder) {
        runs = Path.of(folder);
        return this;
    }

    /** The newest run there. */
    RunFolder run() {
        return RunFolder.find(runs, "latest");
    }

    /** Looks again and again whether it holds; the process has to live until then. */
    void await(String what, BooleanSupplier holds) throws InterruptedException {
        long deadlineNs = clock.nowNs() + PATIENCE_NS;
        while (!holds.getAsBoolean()) {
            boolean hasEnded = process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if ((hasEnded && !holds.getAsBoolean()) || clock.nowNs() > deadlineNs) {
                throw new AssertionError(
                        "never %s; the command %s and said:%n%s"
                                .formatted(what, hasEnded ? "ended" : "goes on", said()));
            }
        }
    }

    /** Waits until the record holds that step or a later one. */
    void awaitStep(long step) throws InterruptedException {
        await("in step " + step, () -> lastStep() >= step);
    }

    /** The last step in the record; 0 before the first, and before the run has a folder. */
    long lastStep() {
        try {
            String steps = Files.readString(run().steps());
            int last = steps.lastIndexOf("{\"step\":");
            int end = last < 0 ? -1 : steps.indexOf(',', last);
            return end < 0 ? 0 : Long.parseLong(steps.substring(last + 8, end));
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }

    /** Waits until so many lines of the run's events hold those words. */
    void awaitEvents(String words, int count) throws InterruptedException {
        await(count + " times '" + words + "'", () -> events(words) >= count);
    }

    private long events(String words) {
        try (Stream<String> lines = Files.lines(run().events())) {
            return lines.filter(line -> line.contains(words)).count();
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }

    /** Ends the run as Ctrl-C does: after the step under way. */
    void interrupt() throws Exception {
        signal("INT", process.toHandle());
        assertThat(exitCode()).as(said()).isEqualTo(ExitCode.INTERRUPTED);
    }

    /** The command's own process. */
    ProcessHandle handle() {
        return process.toHandle();
    }

    /** The worker processes that live now, in order of their start. */
    List<ProcessHandle> workers() {
        return process.descendants().filter(ProcessHandle::isAlive).toList();
    }

    /** SIGKILL to the coordinator alone. */
    void killCoordinator() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    /** SIGKILL to the coordinator and all its workers; all are gone when this returns. */
    void killAll() throws InterruptedException {
        kill(workers());
    }

    /** The same with a list of workers that was made before: so near each other as can be. */
    void kill(List<ProcessHandle> workers) throws InterruptedException {
        process.toHandle().destroyForcibly();
        workers.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
        awaitGone(workers);
    }

    /** Waits until none of them lives. */
    void awaitGone(List<ProcessHandle> processes) {
        for (ProcessHandle one : processes) {
            one.onExit().orTimeout(PATIENCE_NS, TimeUnit.NANOSECONDS).join();
        }
    }

    /** Stops processes, and lets them go on after so long. */
    void sleep(List<ProcessHandle> processes, long millis) throws Exception {
        for (ProcessHandle one : processes) {
            signal("STOP", one);
        }
        boolean hasEnded = process.waitFor(millis, TimeUnit.MILLISECONDS);
        assertThat(hasEnded).as(said()).isFalse();
        for (ProcessHandle one : processes) {
            signal("CONT", one);
        }
    }

    /** Sends a signal as a user does. */
    static void signal(String name, ProcessHandle to) throws Exception {
        int status =
                new ProcessBuilder("kill", "-" + name, Long.toString(to.pid())).start().waitFor();
        assertThat(status).isZero();
    }

    @Override
    public void close() throws InterruptedException {
        killAll();
    }
}

package dev.medley.control.launcher;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Starts workers as processes of this machine, each a JVM with its own log in the run's folder. A
 * worker ignores the terminal's interrupt; it leaves when the coordinator says so or falls silent.
 */
public final class LocalLauncher implements Launcher {
    private static final int LAST_WORDS_BYTES = 4096;

    private final WorkerCommand command;
    private final Path logFolder;
    private final Map<Integer, Process> processes = new ConcurrentHashMap<>();

    /**
     * What a worker process is.
     *
     * @param mainClass with arguments host, port and launch number
     * @param classPath of the process
     * @param javaOptions of its JVM
     * @param environment added to this process's own
     */
    public record WorkerCommand(
            String mainClass,
            String classPath,
            List<String> javaOptions,
            Map<String, String> environment) {
        public WorkerCommand {
            javaOptions = List.copyOf(javaOptions);
            environment = Map.copyOf(environment);
        }
    }

    /** Workers whose logs go to {@code logFolder}, which exists. */
    public LocalLauncher(WorkerCommand command, Path logFolder) {
        this.command = command;
        this.logFolder = logFolder;
    }

    /** Where the log of a launch is. */
    public static Path log(Path logFolder, int launch) {
        return logFolder.resolve("worker-" + launch + ".log");
    }

    @Override
    public void launch(
            int launch, InetSocketAddress coordinator, String token, ExitListener listener) {
        Path log = log(logFolder, launch);
        ProcessBuilder builder = new ProcessBuilder(commandLine(launch, coordinator));
        builder.environment().putAll(command.environment());
        builder.environment().put("MEDLEY_TOKEN", token);
        // A run that goes on after it was killed keeps what its workers said before.
        builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile()));
        long begin = log.toFile().length();
        builder.redirectInput(Redirect.PIPE);
        try {
            Process process = builder.start();
            processes.put(launch, process);
            CompletableFuture<Void> unused =
                    process.onExit()
                            .thenAccept(
                                    ended ->
                                            listener.exited(
                                                    launch,
                                                    ended.exitValue(),
                                                    lastWords(log, begin)));
        } catch (IOException e) {
            throw new LaunchException("cannot start worker " + launch + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void kill(int launch) {
        Process process = processes.get(launch);
        if (process != null) {
            process.destroyForcibly();
        }
    }

    /** The operating system's id of a launch's process. */
    public long processId(int launch) {
        Process process = processes.get(launch);
        if (process == null) {
            throw new ConfigException("worker " + launch + " was never started");
        }
        return process.pid();
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
    }

    private List<String> commandLine(int launch, InetSocketAddress coordinator) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(command.javaOptions());
        line.add("-XX:ErrorFile=" + logFolder.resolve("worker-" + launch + "-crash.log"));
        line.add("-cp");
        line.add(command.classPath());
        line.add(command.mainClass());
        line.add(coordinator.getAddress().getHostAddress());
        line.add(Integer.toString(coordinator.getPort()));
        line.add(Integer.toString(launch));
        return line;
    }

    private static String lastWords(Path log, long begin) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(begin, Files.size(log) - LAST_WORDS_BYTES);
            byte[] tail = new byte[(int) (Files.size(log) - from)];
            file.seek(from);
            file.readFully(tail);
            return new String(tail, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "";
        }
    }
}

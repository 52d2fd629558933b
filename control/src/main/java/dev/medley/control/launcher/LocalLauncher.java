package dev.medley.control.launcher;

import dev.medley.base.ConfigException;
import dev.medley.net.control.ControlServer;
import dev.medley.profile.system.OutOfMemory;
import dev.medley.profile.system.OutOfMemory.Verdict;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private final OutOfMemory memory = OutOfMemory.watch();
    private final Map<Integer, Process> processes = new ConcurrentHashMap<>();

    /**
     * Workers whose logs go to {@code logFolder}, which exists.
     *
     * @param command of a process that takes host, port and launch number
     */
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
        ProcessBuilder builder =
                command.process(
                        logFolder.resolve("worker-" + launch + "-crash.log"),
                        List.of(
                                coordinator.getAddress().getHostAddress(),
                                Integer.toString(coordinator.getPort()),
                                Integer.toString(launch)));
        builder.environment().put(ControlServer.SECRET_VARIABLE, token);
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
                                                    exit(
                                                            launch,
                                                            ended.exitValue(),
                                                            lastWords(log, begin))));
        } catch (IOException | OutOfMemoryError e) { // The error: no thread to wait for its end.
            kill(launch);
            throw new LaunchException("cannot start worker-" + launch + ": " + e.getMessage(), e);
        }
    }

    private Exit exit(int launch, int code, String lastWords) {
        Verdict verdict = memory.explain("worker-" + launch, code);
        boolean isOutOfMemory = verdict.cause() == OutOfMemory.Cause.KERNEL;
        return new Exit(launch, code, lastWords, isOutOfMemory ? verdict.message() : "");
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
            throw new ConfigException("worker-" + launch + " was never started");
        }
        return process.pid();
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
    }

    /** The end of a log, of what was said after {@code begin} bytes; empty if it cannot be read. */
    public static String lastWords(Path log, long begin) {
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

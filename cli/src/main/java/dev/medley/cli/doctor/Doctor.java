package dev.medley.cli.doctor;

import com.sun.management.OperatingSystemMXBean;
import dev.medley.base.ConfigException;
import dev.medley.cli.doctor.Finding.Verdict;
import dev.medley.store.file.WritableFolder;
import dev.medley.tensor.Torch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Checks whether this machine can train. Each check is independent of the others and leaves nothing
 * behind.
 */
public final class Doctor {
    private static final int OLDEST_JDK = 17;
    private static final long GIB = 1L << 30;
    private static final long LEAST_MEMORY_BYTES = 2 * GIB;
    private static final long LEAST_DISK_BYTES = 2 * GIB;
    private static final long LEAST_SHARED_BYTES = 256L << 20;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final Path runs;

    /** A machine whose runs are to lie in {@code runs}. */
    public Doctor(Path runs) {
        this.runs = runs;
    }

    /** All checks, in order of what depends on what. */
    public List<Finding> examine() {
        return Stream.<Callable<Finding>>of(
                        Doctor::jdk,
                        Doctor::libTorch,
                        Doctor::cores,
                        Doctor::memory,
                        Doctor::sharedMemory,
                        this::disk,
                        Doctor::loopback)
                .map(Doctor::run)
                .toList();
    }

    private static Finding run(Callable<Finding> check) {
        try {
            return check.call();
        } catch (Exception e) {
            return Finding.bad(
                    "machine", "a check failed: " + e, "report this with the output of doctor");
        }
    }

    static Finding jdk() {
        int version = Runtime.version().feature();
        String found =
                "%s %s in %s"
                        .formatted(
                                System.getProperty("java.vendor"),
                                Runtime.version(),
                                System.getProperty("java.home"));
        return version >= OLDEST_JDK
                ? Finding.good("JDK", found)
                : Finding.bad("JDK", found, "install a JDK %d or later".formatted(OLDEST_JDK));
    }

    /** Loads the natives for this platform, which the first time unpacks them. */
    static Finding libTorch() {
        String platform =
                (System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                        .toLowerCase(Locale.ROOT);
        try {
            Torch.start(1);
            return Finding.good("LibTorch", "loads on " + platform);
        } catch (ConfigException e) {
            return Finding.bad("LibTorch", "does not load on " + platform, "" + e.getMessage());
        }
    }

    static Finding cores() {
        int cores = Runtime.getRuntime().availableProcessors();
        String found = cores == 1 ? "1 core" : cores + " cores";
        return cores > 1
                ? Finding.good("cores", found + " for this process, limits of its cgroup included")
                : Finding.poor("cores", found, "more workers than cores only take turns");
    }

    static Finding memory() {
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        OptionalLong limit = Limits.memoryBytes();
        long bytes = Math.min(system.getTotalMemorySize(), limit.orElse(Long.MAX_VALUE));
        String found = gib(bytes) + (limit.isPresent() ? " (the limit of this cgroup)" : "");
        return bytes >= LEAST_MEMORY_BYTES
                ? Finding.good("memory", found)
                : Finding.poor(
                        "memory",
                        found,
                        "a worker takes about 0.5 GiB before its model and data: use one worker");
    }

    static Finding sharedMemory() throws IOException {
        if (!Files.isDirectory(SHARED_MEMORY)) {
            return Finding.poor(
                    "shared memory",
                    "there is no " + SHARED_MEMORY,
                    "workers of this machine will exchange over TCP");
        }
        long free = Files.getFileStore(SHARED_MEMORY).getUsableSpace();
        String found = gib(free) + " free in " + SHARED_MEMORY;
        boolean isEnough = free >= LEAST_SHARED_BYTES && Files.isWritable(SHARED_MEMORY);
        return isEnough
                ? Finding.good("shared memory", found)
                : Finding.poor(
                        "shared memory",
                        found,
                        "a model's gradients lie there once per worker, else workers exchange over"
                                + " TCP: make it larger (docker run --shm-size=1g)");
    }

    Finding disk() {
        long free = WritableFolder.freeBytes(runs);
        Path nearest = nearestExisting(runs.toAbsolutePath());
        String found = gib(free) + " free for runs in " + runs.toAbsolutePath();
        try {
            Files.delete(Files.createTempFile(nearest, ".medley-doctor-", ""));
        } catch (IOException e) {
            return Finding.bad(
                    "disk", nearest + " cannot be written", "name another folder with --run-dir");
        }
        return free >= LEAST_DISK_BYTES
                ? Finding.good("disk", found)
                : Finding.poor("disk", found, "clean up (medley runs rm) or name another folder");
    }

    private static Path nearestExisting(Path path) {
        Path at = path;
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }

    static Finding loopback() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            client.setSoTimeout(2_000);
            accepted.getOutputStream().write(42);
            boolean came = client.getInputStream().read() == 42;
            return came
                    ? Finding.good("loopback", "a free port and a connection to this machine")
                    : Finding.bad("loopback", "a byte was lost", remedyForSockets());
        } catch (IOException e) {
            return Finding.bad("loopback", "" + e.getMessage(), remedyForSockets());
        }
    }

    private static String remedyForSockets() {
        return "workers reach each other through 127.0.0.1: allow it in the firewall or sandbox";
    }

    /** The worst of several verdicts. */
    public static Verdict worst(List<Finding> findings) {
        return findings.stream()
                .map(Finding::verdict)
                .max(java.util.Comparator.naturalOrder())
                .orElse(Verdict.GOOD);
    }

    private static String gib(long bytes) {
        return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) GIB);
    }
}

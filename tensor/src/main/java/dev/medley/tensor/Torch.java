package dev.medley.tensor;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.Context;
import org.bytedeco.pytorch.global.torch;

/**
 * Starts LibTorch in this process, sets its options, and describes its arithmetic. {@link #start}
 * comes before anything else of this module.
 */
public final class Torch {
    /** The variable that says how many threads a process is to have; read before Java begins. */
    public static final String THREADS = "OMP_NUM_THREADS";

    private static final String PHYSICAL_LIMIT = "org.bytedeco.javacpp.maxPhysicalBytes";
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";
    private static int threads;
    private static boolean flushes;

    private Torch() {}

    /**
     * Loads LibTorch and gives it {@code threads} threads for each operation. May be called again
     * to change their number.
     *
     * @throws ConfigException if LibTorch has no native library for this platform, or it cannot be
     *     loaded
     */
    public static synchronized void start(int threads) {
        ConfigException.check(threads >= 1, "threads=%d: at least 1", threads);
        if (System.getProperty(PHYSICAL_LIMIT) == null) {
            // Else every allocation reads /proc.
            System.setProperty(PHYSICAL_LIMIT, "0");
        }
        if (Torch.threads == 0) {
            load();
        }
        torch.set_num_threads(threads); // Of the calling thread as well.
        if (Torch.threads != threads) {
            // It searches its libraries each time, for a third of a millisecond.
            openblas_nolapack.blas_set_num_threads(threads);
        }
        Torch.threads = threads;
    }

    /** Loads LibTorch with one thread where nothing did yet. */
    public static synchronized void startIfNeeded() {
        if (threads == 0) {
            start(1);
        }
    }

    /**
     * Does {@code work} while numbers below the least normal one (1.2e-38 in float32) count as 0 in
     * what the calling thread computes, in Java as well. Processors compute with such numbers many
     * times slower. The threads that LibTorch has beside it, where it was given several, go on as
     * they are; so does everything on a processor that cannot.
     *
     * <p>For updates alone: sums and codecs run on whichever thread is free, and have to give the
     * same bits on all of them.
     */
    public static void flushingSubnormals(Runnable work) {
        boolean isFlushing = Context.setFlushDenormal(true);
        try {
            work.run();
        } finally {
            if (isFlushing) {
                isFlushing = Context.setFlushDenormal(false);
            }
        }
    }

    private static void load() {
        try {
            NativeLibraries.load(LIBTORCH_VERSION);
            flushes = Context.setFlushDenormal(true);
            boolean unused = Context.setFlushDenormal(false);
        } catch (IOException | UnsatisfiedLinkError | NoClassDefFoundError e) {
            throw new ConfigException(
                    ("LibTorch's native library for this platform (%s) is missing or does not load:"
                         + " %s. Build Medley on this platform so that Maven takes its natives"
                         + " (linux-x86_64, macosx-arm64 and windows-x86_64 are published), and on"
                         + " Linux check that glibc is 2.28 or later and that %s is writable.")
                            .formatted(
                                    Loader.Detector.getPlatform(),
                                    e.getMessage(),
                                    Path.of(System.getProperty("user.home"), ".javacpp")),
                    e);
        }
    }

    /**
     * Environment variables that a process which trains should be started with: they act before the
     * first line of Java. Threads sleep instead of spinning against those of the other library, and
     * glibc keeps the memory of a step for the next one.
     */
    public static Map<String, String> environment(int threads) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put(THREADS, Integer.toString(threads));
        environment.put("OMP_WAIT_POLICY", "passive");
        environment.put("MALLOC_MMAP_THRESHOLD_", Long.toString(1L << 30));
        environment.put("MALLOC_TRIM_THRESHOLD_", Long.toString(1L << 32));
        environment.put("MALLOC_TOP_PAD_", Long.toString(64L << 20));
        return environment;
    }

    /**
     * Threads that this process was started with by {@link #THREADS}, or else as many as it has
     * cores.
     */
    public static int threadsGiven() {
        String given = System.getenv().getOrDefault(THREADS, "");
        return given.matches("[1-9]\\d{0,3}")
                ? Integer.parseInt(given)
                : Runtime.getRuntime().availableProcessors();
    }

    /**
     * Names everything that decides the last bits of LibTorch's results: its build, the CPU and
     * what it can do, and the threads. Results are bit-equal between two processes with equal keys.
     */
    public static synchronized String kernelKey() {
        return kernelKey(threads);
    }

    /** What the key would be with another number of threads. */
    public static synchronized String kernelKey(int threads) {
        return String.join(
                ";",
                "libtorch-" + LIBTORCH_VERSION,
                torch.get_cpu_capability().getString(),
                CpuFacts.read().identity(),
                "threads=" + threads + (flushes ? "" : ";subnormal"));
    }

    /** The build of LibTorch and of its Java bindings. */
    private static final String LIBTORCH_VERSION = "2.10.0-1.5.13";

    /**
     * Whether matrix products in bfloat16 are at least 1.3 times as fast as in float32 here. The
     * first call measures for about 30 ms.
     */
    public static boolean isBf16Fast() {
        return Bf16Speed.IS_FAST;
    }

    private static final class Bf16Speed {
        static final boolean IS_FAST = measure();

        private static boolean measure() {
            Gemm gemm = new Gemm(Clock.system());
            double fp32 = gemm.fp32FlopsPerSecond(384, 4);
            return gemm.bf16FlopsPerSecond(384, 4) >= 1.3 * fp32;
        }
    }

    /**
     * A failure of LibTorch as others understand it: an {@link OutOfMemoryError} if an array did
     * not fit, else the failure itself.
     */
    public static RuntimeException translate(RuntimeException failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.contains("DefaultCPUAllocator: not enough memory")
                || message.contains("DefaultCPUAllocator: can't allocate memory")) {
            throw new OutOfMemoryError("LibTorch: " + message.lines().findFirst().orElse(""));
        }
        return failure;
    }

    /** Resident size of this process; empty where the system does not tell. */
    public static OptionalLong residentBytes() {
        try {
            String status = new String(Files.readAllBytes(STATUS), StandardCharsets.ISO_8859_1);
            int from = status.indexOf(RESIDENT);
            int to = status.indexOf("kB", from);
            return from < 0 || to < 0
                    ? OptionalLong.empty()
                    : OptionalLong.of(
                            Long.parseLong(status.substring(from + RESIDENT.length(), to).strip())
                                    << 10);
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}

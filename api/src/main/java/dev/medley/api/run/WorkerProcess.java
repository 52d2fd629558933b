package dev.medley.api.run;

import dev.medley.base.job.JobSpec;
import dev.medley.control.launcher.LocalWorkers;
import dev.medley.control.launcher.WorkerCommand;
import dev.medley.tensor.Torch;
import dev.medley.training.worker.WorkerMain;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the commands that start worker processes on this machine. The reasons for their settings
 * are in docs/decisions/0002-libtorch-settings.md.
 */
public final class WorkerProcess {
    /** Set by the start script: an archive of loaded classes that saves a second of start-up. */
    private static final String SHARED_CLASSES = "medley.shared.classes";

    /** From which level on a process logs; its own log tells a worker's life unless it is set. */
    private static final String LOG_LEVEL = "medley.log";

    private static final long MIB = 1 << 20;

    /**
     * Compiling takes cores from training, and a worker waits for the one it was taken from. The
     * quick compiler takes few, so it gets what is as hot as usual: all that a step does. Only what
     * is ten times hotter than usual is worth the optimizing one. Kernels are.
     */
    private static final List<String> COMPILERS =
            List.of(
                    "-XX:Tier4InvocationThreshold=50000",
                    "-XX:Tier4MinInvocationThreshold=6000",
                    "-XX:Tier4CompileThreshold=150000",
                    "-XX:Tier4BackEdgeThreshold=400000");

    /** Words with blanks between: what the owner of a machine adds to its workers' options. */
    private static final String OPTIONS = "MEDLEY_WORKER_JAVA_OPTS";

    /** Processes with the classes, settings and threads of their job. */
    public static final LocalWorkers WORKERS =
            LocalWorkers.processes(job -> of(job, job.cluster().threads(), WorkerMain.class));

    private WorkerProcess() {}

    /**
     * A process of this machine with the classes and settings of {@code job}.
     *
     * @param threads of its own, 1 for 0
     */
    public static WorkerCommand of(JobSpec job, int threads, Class<?> mainClass) {
        List<String> path = new ArrayList<>();
        path.add(System.getProperty("java.class.path"));
        path.addAll(job.cluster().classPath());
        return new WorkerCommand(
                mainClass.getName(),
                String.join(File.pathSeparator, path),
                javaOptions(job),
                environment(threads));
    }

    /** The options of each worker's JVM, of which the last one of a kind holds. */
    static List<String> javaOptions(JobSpec job) {
        long heapMiB = 256 + 2 * job.work().cacheBytes() / MIB;
        List<String> options = new ArrayList<>();
        options.add("-Xmx" + heapMiB + "m");
        options.add("-XX:MaxDirectMemorySize=64g");
        options.add("-XX:+UseSerialGC");
        options.add("-XX:-UsePerfData");
        options.addAll(COMPILERS);
        options.add("-Xshare:auto");
        options.addAll(sharedClasses());
        options.add("-D" + LOG_LEVEL + "=" + System.getProperty(LOG_LEVEL, "INFO"));
        options.add("-Dorg.bytedeco.javacpp.maxPhysicalBytes=0");
        options.add("-Dorg.bytedeco.javacpp.maxBytes=0");
        if (Runtime.version().feature() >= 22) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        options.addAll(job.cluster().javaOptions());
        options.addAll(ofThisMachine());
        return options;
    }

    private static List<String> ofThisMachine() {
        String words = System.getenv().getOrDefault(OPTIONS, "").trim();
        return words.isEmpty() ? List.of() : List.of(words.split("\\s+"));
    }

    /** An archive that does not fit the worker's class path is ignored by its JVM, in silence. */
    private static List<String> sharedClasses() {
        String archive = System.getProperty(SHARED_CLASSES);
        if (archive == null || !Files.isReadable(Path.of(archive))) {
            return List.of();
        }
        return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:class+path=off");
    }

    private static Map<String, String> environment(int threadCount) {
        String threads = Integer.toString(Math.max(1, threadCount));
        Map<String, String> environment = new HashMap<>();
        environment.put("OMP_WAIT_POLICY", "passive");
        environment.put(Torch.THREADS, threads);
        environment.put("OPENBLAS_NUM_THREADS", threads);
        environment.put("MALLOC_MMAP_THRESHOLD_", "1073741824");
        environment.put("MALLOC_TRIM_THRESHOLD_", "4294967296");
        environment.put("MALLOC_TOP_PAD_", "67108864");
        environment.put("MALLOC_ARENA_MAX", "2");
        return environment;
    }
}

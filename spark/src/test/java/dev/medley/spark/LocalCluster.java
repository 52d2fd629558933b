package dev.medley.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;

/**
 * A cluster of Spark on this machine: a master, workers and executors, the latter processes of
 * their own.
 */
public final class LocalCluster {
    private static final long PAUSE_NS = 100_000_000;

    /** They live for a minute, beside others: the optimizing compiler costs more than it saves. */
    private static final String EXECUTOR_OPTIONS =
            "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData";

    private static SparkSession shared;

    private LocalCluster() {}

    /** One of two executors for all tests that change nothing in it. */
    public static synchronized SparkSession shared() {
        if (shared == null || shared.sparkContext().isStopped()) {
            shared = start(2);
        }
        return shared;
    }

    /** Processes of the executors, those that began first first. */
    public static List<ProcessHandle> executors() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> commandLine(process).contains("CoarseGrainedExecutorBackend"))
                .sorted(Comparator.comparing(ProcessHandle::pid))
                .toList();
    }

    /** Whole: the JDK gives the first 4 KiB of it. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", "" + process.pid(), "cmdline"));
        } catch (IOException e) {
            return "";
        }
    }

    /** An application with so many executors, of a core each; settings as {@code key=value}. */
    public static SparkSession start(int executors, String... settings) {
        try {
            Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String classPath =
                Arrays.stream(System.getProperty("java.class.path").split(":"))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .collect(Collectors.joining(":"));
        SparkSession.Builder builder =
                SparkSession.builder()
                        .master("local-cluster[%d,1,1024]".formatted(executors))
                        .appName("tests")
                        .config("spark.ui.enabled", "false")
                        .config("spark.driver.host", "127.0.0.1")
                        .config("spark.executor.extraClassPath", classPath)
                        .config("spark.executor.extraJavaOptions", EXECUTOR_OPTIONS)
                        .config("spark.sql.shuffle.partitions", "4")
                        // Of few rows each: to compile a query costs more than to interpret it.
                        .config("spark.sql.codegen.wholeStage", "false")
                        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
                        .config("spark.connect.grpc.binding.port", "0")
                        .config("spark.executor.memory", "1g");
        for (String setting : List.of(settings)) {
            String[] parts = setting.split("=", 2);
            builder.config(parts[0], parts[1]);
        }
        SparkSession made = builder.getOrCreate();
        // What is put before both are known is kept once, whatever was asked for.
        for (int i = 0; i < 600 && blockManagers(made) <= executors; i++) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        return made;
    }

    private static int blockManagers(SparkSession session) {
        return session.sparkContext().getExecutorMemoryStatus().size();
    }
}

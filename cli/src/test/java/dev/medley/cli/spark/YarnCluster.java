package dev.medley.cli.spark;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A ResourceManager and two NodeManagers of four vcores and 4 GiB as a process, by
 * tools/yarn/MiniYarn.java. A test says that it is skipped where Hadoop's jars are not there.
 */
final class YarnCluster implements AutoCloseable {
    private static final String EXECUTOR = "YarnCoarseGrainedExecutorBackend";

    private final Process process;
    private final Path folder;

    private YarnCluster(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /** Starts one, which is ready then; aborts the test where it cannot be. */
    static YarnCluster start(Path folder) throws IOException {
        String named = System.getenv("MEDLEY_YARN");
        Path cache =
                named == null
                        ? Path.of(System.getProperty("user.home"), ".cache", "medley-yarn")
                        : Path.of(named);
        if (!Files.isDirectory(cache.resolve("lib"))) {
            abort("skipped: no YARN in %s; tools/yarn/install.sh puts it there".formatted(cache));
        }
        Path root = Path.of(System.getProperty("medley.root", "..")).toAbsolutePath();
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx512m",
                                "-cp",
                                cache.resolve("lib") + "/*",
                                root.resolve("tools/yarn/MiniYarn.java").toString(),
                                folder.toString(),
                                "2",
                                "4",
                                "4096")
                        .directory(folder.toFile())
                        .redirectError(folder.resolve("log").toFile())
                        .start();
        YarnCluster cluster = new YarnCluster(process, folder);
        BufferedReader said = process.inputReader();
        String line = said.readLine();
        while (line != null && !line.startsWith("ready")) {
            line = said.readLine();
        }
        if (line == null) {
            cluster.close();
            throw new AssertionError(Files.readString(folder.resolve("log")));
        }
        return cluster;
    }

    /** The folder for HADOOP_CONF_DIR. */
    String files() {
        return folder.resolve("conf").toString();
    }

    /** Processes of the executors, each in its container. */
    List<ProcessHandle> executors() {
        return process.descendants()
                .filter(each -> each.info().command().orElse("").endsWith("java"))
                .filter(each -> SparkCommand.line(each).contains(EXECUTOR))
                .toList();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}

package dev.medley.cli.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.medley.base.time.Clock;
import dev.medley.cli.Main;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * The command {@code medley train --on} of an installation, as a process with a table of its own
 * and a real Spark. A test says that it is skipped where that is not there.
 */
final class SparkCommand implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(400);
    private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
    private static final int BATCH = 60;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Path folder;
    private final Path output;
    private final Process process;
    private final Clock clock = Clock.system();

    private SparkCommand(Path folder, Path output, Process process) {
        this.folder = folder;
        this.output = output;
        this.process = process;
    }

    /** The folder of a Spark; aborts the test where there is none. */
    static Path home() throws IOException {
        if (System.getenv("MEDLEY_ENGINES") == null) {
            return abort("skipped, as it takes minutes: MEDLEY_ENGINES=1 runs it (docs/spark.md)");
        }
        String named = System.getenv("MEDLEY_PYSPARK");
        Path python =
                named == null
                        ? Path.of(
                                System.getProperty("user.home"),
                                ".cache/medley-spark/venv/bin/python")
                        : Path.of(named);
        Path libraries = python.resolve("../../lib").normalize();
        if (Files.isExecutable(python) && Files.isDirectory(libraries)) {
            try (Stream<Path> versions = Files.list(libraries)) {
                List<Path> homes =
                        versions.map(version -> version.resolve("site-packages/pyspark"))
                                .filter(home -> Files.isDirectory(home.resolve("jars")))
                                .toList();
                if (!homes.isEmpty()) {
                    return homes.get(0);
                }
            }
        }
        return abort(
                "skipped: no Spark of %s; tools/spark/install.sh puts one there".formatted(python));
    }

    /**
     * Starts it on a job that is long enough to be interrupted.
     *
     * @param folder for the table, the runs and all that is cached
     * @param variables of its environment
     * @param words after the job file
     */
    static SparkCommand start(Path folder, Map<String, String> variables, List<String> words)
            throws IOException {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of(SHORT_LIVED.split(" ")));
        line.addAll(List.of("-cp", installation(folder), Main.class.getName()));
        line.addAll(List.of("train", job(folder).toString()));
        line.addAll(words);
        // JVMs that live shortly: what they would compile does not pay.
        for (String process : List.of("spark.driver", "spark.executor", "spark.yarn.am")) {
            line.addAll(List.of("--conf", process + ".extraJavaOptions=" + SHORT_LIVED));
        }
        Path output = Files.createTempFile(folder, "said-", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(line)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("SPARK_HOME", home().toString());
        environment.put("SPARK_LOCAL_IP", "127.0.0.1");
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        List.of("HADOOP_CONF_DIR", "YARN_CONF_DIR", "KUBECONFIG").forEach(environment::remove);
        environment.putAll(variables);
        return new SparkCommand(folder, output, builder.start());
    }

    private static Path job(Path folder) throws IOException {
        StringBuilder text = new StringBuilder("x,y,label\n");
        for (int i = 0; i < 600; i++) {
            int x = i * 7919 % 101;
            int y = i * 104729 % 97;
            text.append("%d,%d,%s\n".formatted(x, y, x > y ? "yes" : "no"));
        }
        Files.writeString(folder.resolve("table.csv"), text);
        return Files.writeString(
                folder.resolve("job.yaml"),
                """
                data: {train: table.csv, label: label, split: 0}
                model: mlp
                train: {epochs: 1000000, batch: %d}
                """
                        .formatted(BATCH));
    }

    /**
     * What ships, in a folder of jars as an installation has it: folders of classes become jars.
     */
    private static String installation(Path folder) throws IOException {
        Path target = Path.of(System.getProperty("medley.root", ".."), "cli/target");
        Path lib = folder.resolve("lib");
        if (!Files.exists(lib)) {
            Files.createDirectories(lib);
            jar(lib.resolve("medley-cli-tested.jar"), target.resolve("classes"));
            String path = Files.readString(target.resolve("runtime-class-path.txt")).strip();
            for (String entry : path.split(File.pathSeparator)) {
                Path at = Path.of(entry).toAbsolutePath();
                if (Files.isDirectory(at)) {
                    jar(lib.resolve(at.getName(at.getNameCount() - 3) + "-tested.jar"), at);
                } else {
                    link(lib.resolve(at.getFileName()), at);
                }
            }
        }
        try (Stream<Path> jars = Files.list(lib)) {
            return String.join(File.pathSeparator, jars.map(Path::toString).sorted().toList());
        }
    }

    /** Another name of the same file; where that is on another disk, a link to it. */
    private static void link(Path from, Path to) throws IOException {
        try {
            Files.createLink(from, to);
        } catch (IOException | UnsupportedOperationException e) {
            Files.createSymbolicLink(from, to);
        }
    }

    private static void jar(Path jar, Path classes) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream to = new JarOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                to.putNextEntry(
                        new JarEntry(classes.relativize(each).toString().replace('\\', '/')));
                Files.copy(each, to);
                to.closeEntry();
            }
        }
    }

    /** All that it has said. */
    String said() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its exit code, when it has ended. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE_NS, TimeUnit.NANOSECONDS)) {
            throw new AssertionError("it does not end:\n" + said());
        }
        return process.exitValue();
    }

    /** Waits; the command does not end before. */
    void await(String what, BooleanSupplier isTrue) {
        long untilNs = clock.awakeNs() + PATIENCE_NS;
        while (!isTrue.getAsBoolean()) {
            if (clock.awakeNs() > untilNs || !process.isAlive()) {
                throw new AssertionError("no %s:\n%s".formatted(what, said()));
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Waits until the last step was taken by so many workers. */
    void awaitWorkers(int count) {
        await(
                count + " workers",
                () -> {
                    List<StepRecord> steps = steps();
                    return !steps.isEmpty()
                            && steps.get(steps.size() - 1).workers().size() == count;
                });
    }

    private List<StepRecord> steps() {
        return said().contains(" begins after step ") ? record().steps() : List.of();
    }

    /**
     * Waits until a worker is lost, the other has gone on and one more has joined; ends the run as
     * somebody does who interrupts it, and requires that no sample is missing or twice.
     */
    void requireEverySampleAfterALoss() throws InterruptedException {
        await("lost worker", () -> record().summary().lostWorkers() == 1);
        awaitWorkers(1);
        awaitWorkers(2);
        processes("SparkSubmit").forEach(ProcessHandle::destroy);
        int code = exitCode();
        RunRecord record = record();
        assertThat(record.summary().state()).as(said()).isEqualTo(RunStatus.INTERRUPTED);
        assertThat(code).isEqualTo(ExitCode.INTERRUPTED);
        long last = 0;
        for (StepRecord step : record.steps()) {
            assertThat(step.samples()).isEqualTo(BATCH);
            assertThat(step.step()).isGreaterThan(last);
            last = step.step();
        }
        long taken = record.summary().steps() + record.summary().repeatedSteps();
        assertThat(record.summary().samples()).isEqualTo(taken * BATCH);
    }

    private List<ProcessHandle> processes(String word) {
        return process.descendants().filter(each -> line(each).contains(word)).toList();
    }

    /** A process's whole command line: the JDK gives the first 4 KiB of it. */
    static String line(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", "" + process.pid(), "cmdline"));
        } catch (IOException e) {
            return "";
        }
    }

    /** What its only run has written. */
    RunRecord record() {
        return RunRecord.read(RunFolder.find(folder.resolve("runs"), "latest"));
    }

    /** Waits until it has said that. */
    void awaitSaid(String what) {
        await(what, () -> said().contains(what));
    }

    /** It is refused by one sentence that says this, and nobody's calls are shown. */
    void requireRefusal(String sentence) throws InterruptedException {
        int code = exitCode();
        String said = said();
        assertThat(said).contains(sentence).doesNotContain("\tat ", "medley failed");
        assertThat(said.lines().filter(line -> line.contains(sentence))).as(said).hasSize(1);
        assertThat(code).isEqualTo(2);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}

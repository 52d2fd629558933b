package dev.medley.cli.spark;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.cli.terminal.Foreground;
import dev.medley.cli.terminal.Terminal;
import dev.medley.kubernetes.client.UnstartedPods;
import dev.medley.spark.cluster.ExecutorWatch;
import dev.medley.spark.cluster.MasterRoom;
import dev.medley.spark.cluster.SparkApplication;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Trains a job on Spark: outside an application it has spark-submit start one, in which the same
 * command trains on the executors.
 */
public final class OnSpark {
    private static final String MAIN = "dev.medley.cli.Main";
    private static final String SUBMIT = "spark-submit";
    private static final String CLASS_PATH = "spark.executor.extraClassPath=";

    /** The folder of the same installation on each node, whose jars need not be sent there. */
    private static final String HOME = "spark.medley.home=";

    private static final String KUBERNETES = "k8s://";

    /** What an installation of Medley has, and Spark has, too, or no worker needs. */
    private static final Pattern NOT_TAKEN =
            Pattern.compile(
                    "(logback|slf4j|netty|kubernetes|armeria|micrometer|operator-framework|zjsonpatch"
                        + "|jackson-(annotations|core-2|databind-2|dataformat-yaml-2|datatype)"
                        + "|snakeyaml|commons-logging|reactive-streams|context-propagation"
                        + "|HdrHistogram|LatencyUtils|java-diff-utils).*");

    private OnSpark() {}

    /**
     * Has an application train.
     *
     * @param master of it
     * @param workers that the run begins with
     * @param command as the user gave it, without the program's name
     * @return the exit code
     */
    public static int submit(
            String master, SparkOptions options, int workers, List<String> command) {
        // What is wrong with them is said before Spark begins.
        MasterRoom.require(master, options.wishes(workers));
        List<String> settings = options.settings();
        Path home = home();
        List<Path> jars = jars();
        if (master.equals("yarn")) {
            HadoopFiles.require(home, System.getenv());
        }
        List<String> line = new ArrayList<>();
        line.add(home.resolve("bin").resolve(SUBMIT).toString());
        line.addAll(List.of("--master", master, "--name", "medley", "--class", MAIN));
        line.addAll(List.of("--conf", "spark.ui.showConsoleProgress=false"));
        if (settings.stream().noneMatch(setting -> setting.startsWith("spark.log.level="))) {
            line.addAll(List.of("--conf", "spark.log.level=OFF"));
            line.addAll(List.of("--conf", SparkApplication.LOG_LEVEL + "=WARN"));
        }
        line.addAll(List.of("--driver-class-path", joined(File.pathSeparator, jars)));
        line.addAll(ofExecutors(master, jars, settings));
        for (String setting : settings) {
            check(
                    !setting.startsWith("spark.submit.deployMode=cluster"),
                    "--conf %s: the driver coordinates the run here; leave it out",
                    setting);
            if (!setting.startsWith(CLASS_PATH)) {
                line.addAll(List.of("--conf", setting));
            }
        }
        line.add(jars.stream().filter(OnSpark::isCli).findFirst().orElseThrow().toString());
        line.addAll(inside(command));
        return Foreground.run(line);
    }

    /** How executors come to Medley: they see these jars, have their like, or are sent them. */
    private static List<String> ofExecutors(String master, List<Path> jars, List<String> settings) {
        List<Path> seen = new ArrayList<>();
        Optional<String> home = value(settings, HOME);
        if (master.startsWith("local")) {
            seen.addAll(jars);
        } else if (home.isPresent()) {
            Path lib = Path.of(home.get(), "lib");
            jars.forEach(jar -> seen.add(lib.resolve(jar.getFileName())));
        }
        List<String> words = new ArrayList<>();
        List<String> path = new ArrayList<>();
        value(settings, CLASS_PATH).ifPresent(path::add);
        if (seen.isEmpty()) {
            // The command's own jar goes along as the application's.
            List<Path> sent = jars.stream().filter(jar -> !isCli(jar)).toList();
            words.addAll(List.of("--jars", joined(",", sent)));
        } else {
            path.add(joined(File.pathSeparator, seen));
        }
        if (!path.isEmpty()) {
            words.addAll(List.of("--conf", CLASS_PATH + String.join(File.pathSeparator, path)));
        }
        return words;
    }

    private static Optional<String> value(List<String> settings, String key) {
        return settings.stream()
                .filter(setting -> setting.startsWith(key))
                .map(setting -> setting.substring(key.length()))
                .reduce((before, last) -> last);
    }

    private static String joined(String separator, List<Path> jars) {
        return String.join(separator, jars.stream().map(Path::toString).toList());
    }

    /** The same command for inside: what spark-submit has taken is left out. */
    private static List<String> inside(List<String> command) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < command.size(); i++) {
            String word = command.get(i);
            if (word.equals("--on") || word.equals("--conf")) {
                i++;
            } else if (!word.startsWith("--on=") && !word.startsWith("--conf=")) {
                words.add(word);
            }
        }
        words.addAll(List.of("--on", SparkOptions.INSIDE));
        return words;
    }

    /** The jars of this installation. */
    private static List<Path> jars() {
        List<Path> jars =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toAbsolutePath().normalize())
                        .filter(
                                entry ->
                                        !NOT_TAKEN
                                                .matcher(entry.getFileName().toString())
                                                .matches())
                        .filter(Files::exists)
                        .toList();
        check(
                jars.stream().anyMatch(OnSpark::isCli),
                "--on: trains on Spark with an installation of Medley, whose jars lie together;"
                        + " this one has none");
        return jars;
    }

    private static boolean isCli(Path jar) {
        return jar.getFileName().toString().matches("medley-cli-.*\\.jar");
    }

    /** A Spark that Medley knows. */
    private static Path home() {
        String named = System.getenv("SPARK_HOME");
        Path home = named == null || named.isBlank() ? onPath() : Path.of(named);
        check(
                Files.isExecutable(home.resolve("bin").resolve(SUBMIT)),
                "SPARK_HOME=%s: has no bin/spark-submit; name the folder of a Spark 4",
                home);
        Path jars = home.resolve("jars");
        try (Stream<Path> all = Files.list(jars)) {
            List<String> cores =
                    all.map(jar -> jar.getFileName().toString())
                            .filter(jar -> jar.startsWith("spark-core_"))
                            .toList();
            check(
                    cores.stream().anyMatch(core -> core.matches("spark-core_2\\.13-4\\..*")),
                    "SPARK_HOME=%s: has %s; Spark 4 with Scala 2.13 is needed",
                    home,
                    cores.isEmpty() ? "no spark-core" : String.join(", ", cores));
        } catch (IOException e) {
            throw new ConfigException(
                    jars + " cannot be read: name the folder of a Spark 4 in SPARK_HOME", e);
        }
        return home.toAbsolutePath();
    }

    private static Path onPath() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path submit = Path.of(folder, SUBMIT);
            if (!folder.isEmpty() && Files.isExecutable(submit)) {
                try {
                    return submit.toRealPath().resolve("../..").normalize();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        throw new ConfigException(
                "--on: spark-submit is not on the PATH, and SPARK_HOME is not set: set it to the"
                        + " folder of a Spark 4 (pip install pyspark has one, too)");
    }

    /** Trains inside the application that was submitted. */
    public static RunResult train(
            JobSpec job,
            SparkOptions options,
            RunOptions how,
            RunProgress progress,
            Terminal terminal) {
        return SparkApplication.train(
                job,
                options.wishes(job.cluster().workers()),
                how,
                progress,
                OnSpark::watch,
                terminal::say);
    }

    /** Watches an application's pods; the driver has the settings as its properties. */
    private static ExecutorWatch watch(String application) {
        String master = System.getProperty("spark.master", "");
        if (!master.startsWith(KUBERNETES)) {
            return ExecutorWatch.NONE;
        }
        String url = master.substring(KUBERNETES.length());
        UnstartedPods pods =
                UnstartedPods.watch(
                        url.contains("://") ? url : "https://" + url,
                        System.getProperty("spark.kubernetes.context"),
                        System.getProperty("spark.kubernetes.namespace", "default"),
                        SparkApplication.LABEL,
                        application);
        return new ExecutorWatch() {
            @Override
            public Optional<String> trouble() {
                return pods.trouble();
            }

            @Override
            public Optional<String> waiting() {
                return pods.waiting();
            }

            @Override
            public void close() {
                pods.close();
            }
        };
    }
}

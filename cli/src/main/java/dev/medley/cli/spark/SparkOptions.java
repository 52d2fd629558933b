package dev.medley.cli.spark;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.spark.cluster.ExecutorWishes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Holds the options of a job that trains on Spark. */
public final class SparkOptions {
    /** What {@code --on} says inside an application that was submitted. */
    public static final String INSIDE = "spark-application";

    private static final Pattern MASTER =
            Pattern.compile(
                    "yarn|spark://.+|k8s://.+|local(\\[.*])?|local-cluster\\[.*]|" + INSIDE);

    @Option(
            names = "--conf",
            paramLabel = "KEY=VALUE",
            description = "On Spark: a setting of the application; may be repeated.")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--max-workers",
            paramLabel = "N",
            description =
                    "On Spark: workers that may join while it trains, as executors come (default:"
                            + " those that begin).")
    private @Nullable Integer most;

    @Option(
            names = "--launcher",
            paramLabel = "KIND",
            description =
                    "On Spark: tasks, which dynamic allocation goes with, or barrier, for one"
                            + " barrier stage (default: ${DEFAULT-VALUE}).")
    private String launcher = "tasks";

    /** Whether an engine is a master of Spark. */
    public static boolean isMaster(String engine) {
        return MASTER.matcher(engine).matches();
    }

    /** Whether any was given. */
    public boolean areGiven() {
        return !settings.isEmpty() || most != null || !launcher.equals("tasks");
    }

    /** Settings of the application, as {@code spark-submit --conf} takes them. */
    List<String> settings() {
        for (String setting : settings) {
            check(
                    setting.matches("spark\\.[^=]+=.*"),
                    "--conf %s: KEY=VALUE with a key of Spark's is needed, as"
                            + " spark.executor.instances=3",
                    setting);
        }
        return List.copyOf(settings);
    }

    /** What the run asks for, which begins with so many workers. */
    ExecutorWishes wishes(int workers) {
        for (ExecutorWishes.Kind kind : ExecutorWishes.Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(launcher)) {
                return new ExecutorWishes(workers, most == null ? workers : most, kind);
            }
        }
        throw new ConfigException("--launcher %s: tasks or barrier".formatted(launcher));
    }
}

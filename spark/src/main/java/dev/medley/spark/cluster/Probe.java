package dev.medley.spark.cluster;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Version;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks executors whether they see Medley on their class path, and which build of it, before a run
 * waits for them.
 */
final class Probe implements Function<Integer, String> {
    private static final long serialVersionUID = 1L;
    private static final int MOST_ASKED = 64;

    private static final String CURE =
            "start the application with Medley's jars, as spark-submit --jars $(ls -1 lib/*.jar |"
                    + " paste -sd,), or install Medley on each node and set"
                    + " spark.executor.extraClassPath";

    @Override
    public String call(Integer number) {
        return Version.build();
    }

    /**
     * Asks some of them.
     *
     * @throws ConfigException if one does not see Medley, or sees another build than this one
     */
    static void require(JavaSparkContext spark, int tasks) {
        List<Integer> numbers = IntStream.range(0, Math.min(tasks, MOST_ASKED)).boxed().toList();
        List<String> builds;
        try {
            builds = spark.parallelize(numbers, numbers.size()).map(new Probe()).collect();
        } catch (Exception e) {
            String why = missing(e);
            check(
                    why == null,
                    "executors do not see Medley on their class path (%s): %s",
                    why,
                    CURE);
            if (e instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new ConfigException("Spark could not run a task: " + e.getMessage(), e);
        }
        for (String build : builds) {
            check(
                    build.equals(Version.build()),
                    "an executor has Medley %s, and the driver %s: give both the same jars; %s",
                    build,
                    Version.build(),
                    CURE);
        }
    }

    /** What is missing there; null where the failure is another one. */
    private static @Nullable String missing(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            String message = String.valueOf(each.getMessage());
            boolean isOfClasses =
                    each instanceof ClassNotFoundException
                            || message.contains("ClassNotFoundException")
                            || message.contains("NoClassDefFoundError")
                            || message.contains("InvalidClassException")
                            // What is said of a function whose class is not there.
                            || message.contains("SerializedLambda");
            if (isOfClasses && (each instanceof SparkException || message.contains("medley"))) {
                return message.lines()
                        .filter(line -> line.contains("Exception: ") || line.contains("Error: "))
                        .findFirst()
                        .map(line -> line.replaceAll("^.*?(\\w+(Exception|Error): )", "$1"))
                        .orElse("a class is not found");
            }
        }
        return null;
    }
}

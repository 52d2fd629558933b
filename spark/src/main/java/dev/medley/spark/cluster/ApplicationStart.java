package dev.medley.spark.cluster;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/** Begins the application that spark-submit has prepared, or says in a sentence why it cannot. */
final class ApplicationStart {
    private static final String YARN = "yarn";
    private static final String TAGS = "spark.yarn.tags";
    private static final String POD_LABEL = "spark.kubernetes.executor.label.";
    private static final String MOST_FAILURES = "spark.executor.maxNumFailures";
    private static final String FAILURES_COUNT = "spark.executor.failuresValidityInterval";
    private static final String IMAGE = "spark.kubernetes.container.image";
    private static final String EXECUTOR_IMAGE = "spark.kubernetes.executor.container.image";

    /** Of what Kubernetes' client says: what the API server has answered. */
    private static final Pattern ANSWER =
            Pattern.compile("Message: (.*?)\\.? Received status", Pattern.DOTALL);

    /** The same of what it may not watch. */
    private static final Pattern FORBIDDEN =
            Pattern.compile("Received 403 .*executing: (\\w+) at: \\w+://[^/]+(/[^?\\s]+)");

    private static final Pattern QUEUE = Pattern.compile("to unknown queue: (\\S+)");
    private static final Pattern NOT_SUBMITTED =
            Pattern.compile("^Failed to submit \\S+ to YARN : ");
    private static final Pattern NO_ROOM =
            Pattern.compile(
                    "Requested resource=(<[^>]*>), maximum allowed allocation=(<[^>]*>)",
                    Pattern.DOTALL);

    private ApplicationStart() {}

    /** Of the application that spark-submit has prepared. */
    static String master() {
        return new SparkConf().get("spark.master", "");
    }

    /**
     * Begins it.
     *
     * @param tag of it, where YARN or Kubernetes know it by one
     * @throws ConfigException if it cannot begin
     */
    static JavaSparkContext begin(String tag) {
        SparkConf conf = new SparkConf();
        String master = master();
        check(
                !master.startsWith("k8s://")
                        || conf.contains(IMAGE)
                        || conf.contains(EXECUTOR_IMAGE),
                "--on %s: executors are pods of an image: add --conf %s=IMAGE, with Spark 4.2, Java"
                        + " 17 or later and Scala 2.13",
                master,
                IMAGE);
        if (master.startsWith("k8s://")) {
            conf.set(POD_LABEL + SparkApplication.LABEL, tag);
            // Else Spark ends a driver without a word after a few pods that have failed.
            conf.setIfMissing(MOST_FAILURES, "1000").setIfMissing(FAILURES_COUNT, "1h");
        }
        conf.set(TAGS, conf.contains(TAGS) ? conf.get(TAGS) + "," + tag : tag);
        try {
            return new JavaSparkContext(SparkContext.getOrCreate(conf));
        } catch (Exception e) { // Spark's are checked, and not declared.
            throw new ConfigException(
                    "--on %s: Spark cannot begin there: %s".formatted(master, why(master, tag, e)),
                    e);
        }
    }

    private static String why(String master, String tag, Exception thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        if (master.equals(YARN) && !(cause instanceof IOException)) {
            // What waits for an application does not know why it ended; YARN does.
            Optional<String> said = YarnReport.of(tag);
            if (said.isPresent()) {
                return sentence(said.get());
            }
        }
        String last = cause.getMessage();
        return sentence(
                last == null || last.isBlank()
                        ? cause.getClass().getSimpleName() + ": " + thrown.getMessage()
                        : last);
    }

    /** Why the manager of its cluster has ended an application; null if that is not known. */
    static @Nullable String end(JavaSparkContext spark) {
        String tags = spark.getConf().get(TAGS, "");
        if (!spark.master().equals(YARN) || !spark.sc().isStopped()) {
            return null;
        }
        return YarnReport.of(tags.substring(tags.lastIndexOf(',') + 1))
                .map(ApplicationStart::sentence)
                .orElse(null);
    }

    /** What managers of clusters say of what they refuse, in a line for the user. */
    static String sentence(@Nullable String said) {
        String text = String.valueOf(said);
        Matcher queue = QUEUE.matcher(text);
        if (queue.find()) {
            return "YARN has no queue %s (spark.yarn.queue)".formatted(queue.group(1));
        }
        Matcher room = NO_ROOM.matcher(text);
        if (room.find()) {
            return "an executor asks for %s, and the largest container of YARN is %s"
                            .formatted(room.group(1), room.group(2))
                    + " (spark.executor.cores, spark.executor.memory)";
        }
        Matcher forbidden = FORBIDDEN.matcher(text);
        if (forbidden.find()) {
            return "the API server does not allow %s %s: an account is needed that may create, list,"
                            .formatted(forbidden.group(1), forbidden.group(2))
                    + " watch and delete pods and configmaps there";
        }
        Matcher answer = ANSWER.matcher(text);
        String line = answer.find() ? answer.group(1) : text.strip().lines().findFirst().orElse("");
        return NOT_SUBMITTED
                .matcher(line)
                .replaceFirst("")
                .replaceFirst("^(Uncaught exception: )?([\\w.$]+(Exception|Error): )*", "");
    }
}

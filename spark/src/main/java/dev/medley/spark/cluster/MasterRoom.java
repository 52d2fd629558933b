package dev.medley.spark.cluster;

import static dev.medley.base.ConfigException.check;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Knows what a master of this machine has room for, by its name alone. It is asked before Spark
 * begins, in a process that has no class of Spark's, and so names none.
 */
public final class MasterRoom {
    static final Pattern LOCAL = Pattern.compile("local(?:\\[([^,\\]]+)(?:,\\d+)?\\])?");
    static final Pattern LOCAL_CLUSTER =
            Pattern.compile("local-cluster\\[\\s*(\\d+)\\s*,\\s*(\\d+)\\s*,\\s*\\d+\\s*]");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,6}");

    /** Masters that Spark takes; of YARN and Kubernetes it knows more than a name tells. */
    private static final Pattern KNOWN =
            Pattern.compile(
                    "yarn|k8s://.+|local|local\\[\\s*(\\*|0*[1-9]\\d{0,5})\\s*(,\\s*\\d{1,6}\\s*)?]"
                        + "|local-cluster\\[(\\s*0*[1-9]\\d{0,8}\\s*,){2}\\s*0*[1-9]\\d{0,8}\\s*]"
                        + "|spark://[^\\s,:/]+:\\d{1,5}(,[^\\s,:/]+:\\d{1,5})*"
                        + "|spark://\\[[^\\]]+]:\\d{1,5}");

    private MasterRoom() {}

    /**
     * Complains about a name that no master has, and about a master of this machine that has too
     * few cores for so many workers, whatever they take; nothing is known of others.
     *
     * @throws dev.medley.base.ConfigException if Spark cannot begin there, or is known to have too
     *     few
     */
    public static void require(String master, ExecutorWishes wishes) {
        check(
                KNOWN.matcher(master).matches(),
                "--on %s: Spark has no such master: write spark://HOST:PORT, yarn, k8s://URL,"
                        + " local[N], local[*] or local-cluster[EXECUTORS,CORES,MIB]",
                master);
        Matcher cluster = LOCAL_CLUSTER.matcher(master);
        Matcher local = LOCAL.matcher(master);
        long most = Long.MAX_VALUE;
        if (cluster.matches()) {
            most = Long.parseLong(cluster.group(1)) * Long.parseLong(cluster.group(2));
        } else if (local.matches()) {
            String cores = local.group(1) == null ? "1" : local.group(1).strip();
            most = NUMBER.matcher(cores).matches() ? Long.parseLong(cores) : most;
        }
        check(
                wishes.least() <= most,
                "%d workers are asked for, and %s has %d core%s: ask for fewer workers, or name"
                        + " more executors or cores",
                wishes.least(),
                master,
                most,
                most == 1 ? "" : "s");
    }
}

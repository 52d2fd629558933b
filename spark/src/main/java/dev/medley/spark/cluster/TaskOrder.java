package dev.medley.spark.cluster;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The order by which a task offers its executor to a run. It travels as Spark's tasks do.
 *
 * @param host of the coordinator
 * @param port of the coordinator
 * @param token of the run's machines
 * @param identity their certificate, in Base64; null where all are on this machine
 * @param run name of it, for people
 * @param rows of a DataFrame that the executors hold; null where the data are files
 */
public record TaskOrder(
        String host,
        int port,
        String token,
        @Nullable String identity,
        String run,
        @Nullable HeldData rows)
        implements Serializable {
    /** Without what is secret. */
    @Override
    public String toString() {
        return "%s at %s:%d".formatted(run, host, port);
    }
}

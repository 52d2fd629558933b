package dev.medley.trees;

import dev.medley.base.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import ml.dmlc.xgboost4j.java.XGBoostJNI;

/**
 * Membership in XGBoost's collective, which belongs to the thread that joined. While it lasts every
 * member grows the same rounds, each on its own rows.
 */
final class TreeGroup implements AutoCloseable {
    /** The address of the tracker, and what it asks for. */
    record Door(String host, int port, String key) {}

    private TreeGroup() {}

    /**
     * Joins, and waits for the others.
     *
     * @param patienceNs with peers that are silent: at least a second
     * @throws TreeException if a peer does not come
     */
    static TreeGroup join(Door door, int rank, long patienceNs) {
        Natives.load();
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("dmlc_tracker_uri", door.host());
        arguments.put("dmlc_tracker_port", door.port());
        arguments.put("dmlc_task_id", CollectiveTracker.taskId(door.key(), rank));
        arguments.put("dmlc_timeout", Math.max(1, TimeUnit.NANOSECONDS.toSeconds(patienceNs)));
        arguments.put("dmlc_retry", 1);
        Natives.check(XGBoostJNI.CommunicatorInit(Json.line(arguments)));
        return new TreeGroup();
    }

    /** Leaves; peers that wait for this one fail at once. */
    @Override
    public void close() {
        int unused = XGBoostJNI.CommunicatorFinalize(); // A peer that is gone is no trouble here.
    }
}

package dev.medley.trees;

import dev.medley.base.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import ml.dmlc.xgboost4j.java.XGBoostJNI;

/**
 * Membership in XGBoost's collective, which belongs to the thread that joined. While it lasts every
 * member grows the same rounds, each on its own rows.
 */
public final class TreeGroup implements AutoCloseable {
    private static final String HERE = "127.0.0.1";
    private static final ThreadLocal<Integer> GROUPS = ThreadLocal.withInitial(() -> 0);

    /** The address of a group's {@link CollectiveTracker}, and the key that it asks for. */
    public record Door(String host, int port, String key) {}

    private final MemberDoor door;

    private TreeGroup(MemberDoor door) {
        this.door = door;
    }

    /**
     * Joins, and waits for the others.
     *
     * @param patienceNs with peers that are silent: at least a second
     * @param isOver whether the group has ended: nobody is waited for any more
     * @throws PeerGoneException if a peer does not come
     */
    static TreeGroup join(Door tracker, int rank, long patienceNs, BooleanSupplier isOver) {
        Natives.load();
        MemberDoor door = door(tracker, patienceNs, isOver);
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("dmlc_tracker_uri", HERE);
        arguments.put("dmlc_tracker_port", door.port());
        arguments.put("dmlc_task_id", CollectiveTracker.taskId(tracker.key(), rank));
        arguments.put("dmlc_timeout", Math.max(1, TimeUnit.NANOSECONDS.toSeconds(patienceNs)));
        arguments.put("dmlc_retry", 1);
        try {
            Natives.check(XGBoostJNI.CommunicatorInit(Json.line(arguments)));
        } catch (TreeException e) {
            door.release();
            door.close();
            throw e;
        }
        door.joined();
        GROUPS.set(GROUPS.get() + 1);
        return new TreeGroup(door);
    }

    /** Whether this thread has joined one and not left it. */
    static boolean isOfThisThread() {
        return GROUPS.get() > 0;
    }

    private static MemberDoor door(Door tracker, long patienceNs, BooleanSupplier isOver) {
        try {
            return new MemberDoor(tracker, isOver, patienceNs);
        } catch (IOException e) {
            throw new UncheckedIOException("no port for a member of a group of trees", e);
        }
    }

    /** Leaves; peers that wait for this one fail at once. */
    @Override
    public void close() {
        GROUPS.set(Math.max(0, GROUPS.get() - 1));
        if (XGBoostJNI.CommunicatorFinalize() != 0) { // A peer that is gone is no trouble here.
            door.release();
        }
        door.close();
    }
}

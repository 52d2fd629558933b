package dev.medley.trees;

import dev.medley.base.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Brings the members of one group together for XGBoost's collective, and gives each the rank that
 * it has in the group. It speaks the protocol of XGBoost's own tracker (src/collective/protocol.h,
 * 3.4): numbers of 32 bits, little-endian; texts after their length; JSON.
 *
 * <p>XGBoost's own tracker is not used since it chooses ranks by itself, and since it has the
 * members of a group that lost one end their processes.
 *
 * <p>What a stranger sends ends its own connection: it needs the group's key, and has some seconds.
 */
public final class CollectiveTracker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CollectiveTracker.class);
    private static final int PATIENCE_MS = 10_000;
    private static final int STRANGERS = 64;
    private static final int LOOK_MS = 100;

    private final ServerSocket door;
    private final String key;
    private final List<String> hosts;
    private final BooleanSupplier isOver;
    private final Semaphore callers;
    private final Map<Integer, Waiting> waiting = new TreeMap<>(); // Guarded by this.

    /** A member that has come, and where it listens for the one before it. */
    private record Waiting(Socket socket, int port) {}

    /**
     * Waits for the members of a group.
     *
     * @param key that members show with their ranks: {@link #taskId}
     * @param hosts by rank, where the others reach it
     * @param bind where this listens
     * @param isOver whether the group has ended: who waits for others then waits no longer
     */
    public CollectiveTracker(
            String key, List<String> hosts, InetAddress bind, BooleanSupplier isOver)
            throws IOException {
        this.key = key;
        this.isOver = isOver;
        this.hosts = List.copyOf(hosts);
        this.callers = new Semaphore(STRANGERS + hosts.size());
        door = new ServerSocket();
        door.setSoTimeout(LOOK_MS);
        door.bind(new InetSocketAddress(bind, 0), 2 * hosts.size());
        Thread thread = new Thread(this::serve, "tree-tracker");
        thread.setDaemon(true);
        thread.start();
    }

    /** What a member calls itself. */
    static String taskId(String key, int rank) {
        return key + ":" + rank;
    }

    /** Where it listens. */
    public int port() {
        return door.getLocalPort();
    }

    private void serve() {
        while (!door.isClosed()) {
            try {
                Socket socket = door.accept();
                if (!callers.tryAcquire()) {
                    socket.close();
                    continue;
                }
                Thread thread = new Thread(() -> serve(socket), "tree-tracker-caller");
                thread.setDaemon(true);
                thread.start();
            } catch (SocketTimeoutException e) {
                if (isOver.getAsBoolean()) {
                    sendAway();
                }
            } catch (IOException e) {
                LOG.debug("the tracker's door: {}", e.toString());
            }
        }
    }

    private synchronized void sendAway() {
        waiting.values().forEach(member -> TrackerWire.close(member.socket()));
        waiting.clear();
    }

    private void serve(Socket socket) {
        boolean isKept = false;
        try {
            socket.setSoTimeout(PATIENCE_MS);
            isKept = welcome(socket);
        } catch (IOException | JacksonException e) {
            LOG.info("a caller was turned away: {}", e.toString());
        } finally {
            callers.release();
            if (!isKept) {
                TrackerWire.close(socket);
            }
        }
    }

    /** Whether the connection stays open until all have come. */
    private boolean welcome(Socket socket) throws IOException {
        TrackerWire.Call call = TrackerWire.hear(socket);
        if (!call.joins()) {
            return false;
        }
        int rank = rank(call.taskId());
        int port = call.said("port").asInt();
        TrackerWire.send(socket.getOutputStream(), Json.bytes(Map.of("world_size", hosts.size())));
        waits(rank, new Waiting(socket, port));
        return true;
    }

    private synchronized void waits(int rank, Waiting member) throws IOException {
        if (door.isClosed() || isOver.getAsBoolean()) {
            TrackerWire.close(member.socket());
            return;
        }
        Waiting before = waiting.put(rank, member);
        if (before != null) {
            TrackerWire.close(before.socket());
        }
        if (waiting.size() == hosts.size()) {
            introduce();
        }
    }

    private int rank(String taskId) throws IOException {
        for (int rank = 0; rank < hosts.size(); rank++) {
            if (taskId.equals(taskId(key, rank))) {
                return rank;
            }
        }
        throw new IOException("it does not know the group's key");
    }

    /** Each hears of the next in the ring. */
    private void introduce() throws IOException {
        List<Waiting> all = new ArrayList<>(waiting.values());
        waiting.clear();
        try {
            for (int rank = 0; rank < all.size(); rank++) {
                int next = (rank + 1) % all.size();
                Map<String, Object> peer =
                        Map.of("rank", next, "host", hosts.get(next), "port", all.get(next).port());
                TrackerWire.send(all.get(rank).socket().getOutputStream(), Json.bytes(peer));
            }
        } finally {
            all.forEach(member -> TrackerWire.close(member.socket()));
        }
    }

    @Override
    public synchronized void close() throws IOException {
        door.close();
        sendAway();
    }
}

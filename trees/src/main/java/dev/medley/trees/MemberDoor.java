package dev.medley.trees;

import dev.medley.trees.TrackerWire.Call;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Stands between XGBoost in this process and the tracker of its group. It passes the introduction
 * on, and lets XGBoost leave at once, whether the tracker is still there or not.
 *
 * <p>XGBoost waits without a deadline for the member before it in the ring, which may be gone. This
 * knows where XGBoost listens, and calls it there when the group has ended, or when nobody came for
 * as long as a silent peer is waited for: a caller that says nothing ends the wait.
 */
final class MemberDoor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemberDoor.class);
    private static final int LOOK_MS = 50;
    private static final int CALLER_MS = 10_000;

    private final TreeGroup.Door tracker;
    private final BooleanSupplier isOver;
    private final long patienceLooks;
    private final int patienceMs;
    private final ServerSocket door;
    private volatile boolean isWaiting = true;
    private volatile @Nullable Call joining;
    private volatile @Nullable Socket upward;
    private volatile long looks;

    /**
     * A door on this machine alone.
     *
     * @param isOver whether the group has ended
     * @param patienceNs with a member that does not come after its introduction
     */
    MemberDoor(TreeGroup.Door tracker, BooleanSupplier isOver, long patienceNs) throws IOException {
        this.tracker = tracker;
        this.isOver = isOver;
        long patience = Math.max(1000, TimeUnit.NANOSECONDS.toMillis(patienceNs));
        this.patienceMs = (int) Math.min(Integer.MAX_VALUE, patience);
        this.patienceLooks = patience / LOOK_MS;
        door = new ServerSocket();
        door.setSoTimeout(LOOK_MS);
        door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        start(this::serve, "tree-door");
    }

    private static void start(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return door.getLocalPort();
    }

    /** XGBoost waits for nobody any more. */
    void joined() {
        isWaiting = false;
    }

    private void serve() {
        while (!door.isClosed()) {
            try {
                Socket socket = door.accept();
                start(() -> serve(socket), "tree-door-caller");
            } catch (SocketTimeoutException e) {
                look();
            } catch (IOException e) {
                LOG.debug("the member's door: {}", e.toString());
            }
        }
    }

    private void look() {
        Call call = joining;
        if (!isWaiting || call == null) {
            return;
        }
        looks++;
        if (isOver.getAsBoolean() || looks > patienceLooks) {
            Socket open = upward;
            if (open != null) {
                TrackerWire.close(open);
            }
            call(call.said("port").asInt(), false);
        }
    }

    /** Who leaves is let go; who joins is brought to the group's tracker. */
    private void serve(Socket own) {
        try (own) {
            own.setSoTimeout(CALLER_MS);
            Call call = TrackerWire.hear(own);
            if (call.joins()) {
                introduce(call, own);
            }
        } catch (IOException | JacksonException e) {
            LOG.debug("the member's door: {}", e.toString());
        }
    }

    private void introduce(Call call, Socket own) throws IOException {
        try (Socket there = new Socket()) {
            joining = call;
            upward = there;
            there.connect(new InetSocketAddress(tracker.host(), tracker.port()), patienceMs);
            TrackerWire.say(call, there);
            InputStream told = there.getInputStream();
            byte[] some = new byte[1 << 10];
            for (int read = told.read(some); read >= 0; read = told.read(some)) {
                own.getOutputStream().write(some, 0, read);
                looks = 0;
            }
        }
    }

    /** Calls XGBoost in this process, and says that it is to end, or nothing. */
    private static void call(int port, boolean saysEnd) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            if (saysEnd) {
                TrackerWire.send(socket.getOutputStream(), 0);
            }
        } catch (IOException e) {
            LOG.debug("XGBoost does not listen there: {}", e.toString());
        }
    }

    /** Of XGBoost that did not leave in order: the thread by which it hears of errors ends. */
    void release() {
        Call call = joining;
        if (call != null) {
            call(call.said("error_port").asInt(), true);
        }
    }

    @Override
    public void close() {
        isWaiting = false;
        Socket open = upward;
        if (open != null) {
            TrackerWire.close(open);
        }
        try {
            door.close();
        } catch (IOException e) {
            LOG.debug("the member's door did not close: {}", e.toString());
        }
    }
}

package dev.medley.api.world;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The link to one worker: whoever dials the second loopback address gets to the same port of the
 * first. It is as fast as the machine until it is slowed; then each stretch of bytes takes a while.
 * It may be cut and mended, too.
 */
public final class SlowLink implements AutoCloseable {
    private static final int STRETCH_BYTES = 16 << 10;
    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long STRETCH_NS = TimeUnit.MILLISECONDS.toNanos(15);

    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean isSlow;
    private volatile boolean isCut;

    public SlowLink() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.2"));
        start(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    public String host() {
        return server.getInetAddress().getHostAddress();
    }

    public void slowDown() {
        isSlow = true;
    }

    /** From now on nothing gets through, and nobody is told. */
    public void cut() {
        isCut = true;
    }

    /** What was on the way arrives. */
    public void mend() {
        isCut = false;
    }

    private void awaitWhole() {
        while (isCut) {
            LockSupport.parkNanos(LOOK_AGAIN_NS);
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket from = server.accept();
            awaitWhole();
            Socket to = new Socket();
            sockets.addAll(List.of(from, to));
            to.connect(new InetSocketAddress("127.0.0.1", port()));
            from.setTcpNoDelay(true);
            to.setTcpNoDelay(true);
            start(() -> carry(from, to));
            start(() -> carry(to, from));
        }
    }

    private void carry(Socket from, Socket to) throws IOException {
        byte[] stretch = new byte[STRETCH_BYTES];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(stretch); read >= 0; read = in.read(stretch)) {
                if (isSlow) {
                    LockSupport.parkNanos(STRETCH_NS);
                }
                awaitWhole();
                out.write(stretch, 0, read);
            }
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    /** Ends quietly with its sockets. */
    private static void start(Task task) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                task.run();
                            } catch (IOException e) {
                                // A worker has left, or the test is over.
                            }
                        },
                        "slow-link");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}

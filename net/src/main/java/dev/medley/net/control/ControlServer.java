package dev.medley.net.control;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Accepts the control connections of workers for as long as a run lasts. */
public final class ControlServer implements AutoCloseable {
    /**
     * Environment variable of a worker's process with the secret: not on the command line, which
     * other users can read.
     */
    public static final String SECRET_VARIABLE = "MEDLEY_TOKEN";

    private static final int SECRET_BYTES = 16;
    private static final int BACKLOG = 256;

    private final ServerSocket server;
    private final ControlConnection.Handler handler;

    private ControlServer(ServerSocket server, ControlConnection.Handler handler) {
        this.server = server;
        this.handler = handler;
    }

    /** Listens on the loopback interface, on a port that the system chooses. */
    public static ControlServer onLoopback(ControlConnection.Handler handler) throws IOException {
        return listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handler);
    }

    /**
     * Listens on {@code bind}, port 0 for any free one.
     *
     * @throws ConfigException if that address cannot be had
     */
    public static ControlServer listen(InetSocketAddress bind, ControlConnection.Handler handler)
            throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.bind(bind, BACKLOG);
        } catch (IOException e) {
            server.close();
            throw new ConfigException(
                    "cannot listen on %s:%d: %s"
                            .formatted(bind.getHostString(), bind.getPort(), e.getMessage()),
                    e);
        }
        ControlServer result = new ControlServer(server, handler);
        Thread acceptor = new Thread(result::accept, "control-accept");
        acceptor.setDaemon(true);
        acceptor.start();
        return result;
    }

    /** A fresh secret, for workers to show that they belong to whoever started them. */
    public static String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Where workers connect. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                ControlConnection.over(socket, handler);
            } catch (IOException e) {
                // Either the server was closed, or one connection broke before it began: the next
                // may work.
            }
        }
    }
}

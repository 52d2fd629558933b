package dev.medley.net.control;

import dev.medley.base.ConfigException;
import dev.medley.net.tls.Credentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts the control connections of workers for as long as a run lasts. */
public final class ControlServer implements AutoCloseable {
    /**
     * Environment variable of a worker's process with the secret: not on the command line, which
     * other users can read.
     */
    public static final String SECRET_VARIABLE = "MEDLEY_TOKEN";

    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
    private static final int SECRET_BYTES = 16;
    private static final int BACKLOG = 256;

    /** Longest wait for a caller to show who it is. */
    private static final long HANDSHAKE_NS = 10_000_000_000L;

    /** Callers that have not yet shown who they are; each has a thread. More are turned away. */
    private static final int STRANGERS = BACKLOG;

    private final ServerSocket server;
    private final ControlConnection.Opening opening;
    private final ControlConnection.Handler handler;
    private final Semaphore strangers = new Semaphore(STRANGERS);

    private ControlServer(
            ServerSocket server,
            @Nullable Credentials credentials,
            ControlConnection.Handler handler) {
        this.server = server;
        this.handler = handler;
        this.opening = credentials == null ? raw -> raw : raw -> identify(raw, credentials);
    }

    /** Listens on the loopback interface, on a port that the system chooses. */
    public static ControlServer onLoopback(ControlConnection.Handler handler) throws IOException {
        return listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handler);
    }

    /**
     * Listens on {@code bind}, port 0 for any free one, in plain text: for this machine, and for a
     * network that nobody else can reach.
     *
     * @throws ConfigException if that address cannot be had
     */
    public static ControlServer listen(InetSocketAddress bind, ControlConnection.Handler handler)
            throws IOException {
        return start(bound(bind), null, handler);
    }

    /**
     * Listens on {@code bind} (port 0 for any free one). With credentials only machines of the
     * cluster come in, over TLS; a caller that is silent or a stranger hinders nobody, and is named
     * in the log.
     *
     * @param credentials of this machine; null for plain text, which is served on loopback only
     * @throws ConfigException if the port cannot be had, or needs credentials
     */
    public static ControlServer listen(
            InetSocketAddress bind,
            @Nullable Credentials credentials,
            ControlConnection.Handler handler) {
        if (credentials == null) {
            requireLoopback(bind, "listen on");
        }
        return start(bound(bind), credentials, handler);
    }

    /**
     * Looks whether {@link #listen(InetSocketAddress, Credentials, ControlConnection.Handler)}
     * would be possible now.
     *
     * @throws ConfigException if it would not
     */
    public static void requireFree(InetSocketAddress bind, @Nullable Credentials credentials) {
        if (credentials == null) {
            requireLoopback(bind, "listen on");
        }
        try {
            bound(bind).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServerSocket bound(InetSocketAddress bind) {
        try {
            ServerSocket server = new ServerSocket();
            try {
                server.bind(bind, BACKLOG);
                return server;
            } catch (IOException e) {
                server.close();
                throw e;
            }
        } catch (IOException e) {
            throw new ConfigException(
                    "cannot listen on %s:%d: %s. Choose an address of this machine and a free port,"
                                    .formatted(bind.getHostString(), bind.getPort(), e.getMessage())
                            + " or port 0 for any",
                    e);
        }
    }

    /** Beyond this machine a run's jar and data go over TLS, or not at all. */
    static void requireLoopback(InetSocketAddress address, String what) {
        InetAddress host = address.getAddress();
        ConfigException.check(
                host != null && host.isLoopbackAddress(),
                "to %s %s:%d credentials are needed, since it is not loopback: medley certs makes"
                        + " them",
                what,
                address.getHostString(),
                address.getPort());
    }

    private static ControlServer start(
            ServerSocket server,
            @Nullable Credentials credentials,
            ControlConnection.Handler handler) {
        ControlServer result = new ControlServer(server, credentials, handler);
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
                ControlConnection.over(socket, opening, handler);
            } catch (IOException e) {
                // Either the server was closed, or one connection broke before it began: the next
                // may work.
            }
        }
    }

    private Socket identify(Socket raw, Credentials credentials) throws IOException {
        if (!strangers.tryAcquire()) {
            throw new IOException(
                    "turned away: %d callers have not yet shown who they are".formatted(STRANGERS));
        }
        try {
            return TlsOpening.asAnswerer(raw, credentials, HANDSHAKE_NS);
        } catch (IOException e) {
            LOG.warn("{}", e.getMessage());
            throw e;
        } finally {
            strangers.release();
        }
    }
}

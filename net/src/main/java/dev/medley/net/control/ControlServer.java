package dev.medley.net.control;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.net.control.Opening.Opened;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.door.RareWarnings;
import dev.medley.net.door.UnknownCallers;
import dev.medley.net.tls.Credentials;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the control connections of workers and agents for as long as a run lasts. A caller has
 * seconds to prove that it knows a secret, a hundred bytes to do it with, and a place among a
 * bounded number until then.
 */
public final class ControlServer implements AutoCloseable {
    /**
     * Environment variable of a worker's process with the secret: not on the command line, which
     * other users can read.
     */
    public static final String SECRET_VARIABLE = "MEDLEY_TOKEN";

    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
    private static final int SECRET_BYTES = 32;
    private static final int BACKLOG = 256;

    /** Longest wait for a caller to show who it is. */
    private static final long HANDSHAKE_NS = 10_000_000_000L;

    /** Callers that have not yet shown who they are; each has a thread. */
    private static final int STRANGERS = BACKLOG;

    /** How long nobody is let in where there is no descriptor, or no thread, for a caller. */
    private static final long PAUSE_NS = 50_000_000L;

    private final ServerSocket server;
    private final Opening opening;
    private final ControlConnection.Handler handler;
    private final UnknownCallers strangers = new UnknownCallers(STRANGERS);
    private volatile Closeable first = () -> {};
    private final RareWarnings warnings = new RareWarnings(LOG, Clock.system());

    private ControlServer(
            ServerSocket server,
            @Nullable Credentials credentials,
            Map<JoinSecret.Kind, JoinSecret> passes,
            ControlConnection.Handler handler) {
        this.server = server;
        this.handler = handler;
        Opening asHost = Opening.asHost(credentials, passes, HANDSHAKE_NS);
        this.opening = raw -> identify(raw, asHost);
    }

    /** Listens on the loopback interface, on a port that the system chooses, in plain text. */
    public static ControlServer onLoopback(JoinSecret pass, ControlConnection.Handler handler) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return listen(any, null, List.of(pass), handler);
    }

    /**
     * Listens on {@code bind} (port 0 for any free one). Only callers that know one of the secrets
     * come in, with credentials only machines of the cluster, over TLS; a caller that is silent or
     * a stranger hinders nobody.
     *
     * @param credentials of this machine; null for plain text, which is served on loopback only
     * @param passes what lets a caller in, one of a kind
     * @throws ConfigException if the port cannot be had, or needs credentials
     */
    public static ControlServer listen(
            InetSocketAddress bind,
            @Nullable Credentials credentials,
            List<JoinSecret> passes,
            ControlConnection.Handler handler) {
        if (credentials == null) {
            requireLoopback(bind, "listen on");
        }
        Map<JoinSecret.Kind, JoinSecret> byKind = new EnumMap<>(JoinSecret.Kind.class);
        passes.forEach(pass -> byKind.put(pass.kind(), pass));
        ControlServer result = new ControlServer(bound(bind), credentials, byKind, handler);
        Thread acceptor = new Thread(result::accept, "control-accept");
        acceptor.setDaemon(true);
        acceptor.start();
        return result;
    }

    /**
     * Looks whether {@link #listen} would be possible now.
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

    /** A fresh secret. */
    public static String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Where workers connect. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** The same; when it is closed, {@code closed} is before the port is free. */
    public ControlServer closingFirst(Closeable closed) {
        first = closed;
        return this;
    }

    @Override
    public void close() throws IOException {
        try {
            first.close();
        } finally {
            server.close();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                take(server.accept());
            } catch (IOException | OutOfMemoryError e) {
                // The server was closed, or this process has no descriptor or no thread left: who
                // waits longest makes room.
                strangers.sendEldestAway();
                LockSupport.parkNanos(server.isClosed() ? 0 : PAUSE_NS);
            }
        }
    }

    private void take(Socket caller) throws IOException {
        if (!strangers.came(caller)) {
            warnings.warn(
                    "crowd",
                    "more than %d callers have not shown who they are: the eldest had to leave"
                            .formatted(STRANGERS));
        }
        try {
            ControlConnection unused = ControlConnection.over(caller, opening, handler);
        } catch (IOException | OutOfMemoryError e) {
            strangers.left(caller);
            caller.close();
            throw e;
        }
    }

    private Opened identify(Socket raw, Opening asHost) throws IOException {
        try {
            return asHost.open(raw);
        } catch (IOException e) {
            warnings.warn("stranger", "" + e.getMessage());
            throw e;
        } finally {
            strangers.left(raw);
        }
    }
}

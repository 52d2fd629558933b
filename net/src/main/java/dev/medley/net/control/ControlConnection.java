package dev.medley.net.control;

import dev.medley.net.tls.Credentials;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One control connection: frames of a length and that many bytes of JSON.
 *
 * <p>{@link #send} never blocks: a peer that does not read for so long that {@value
 * #QUEUE_MESSAGES} messages wait is closed, since it would be lost anyway.
 */
public final class ControlConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlConnection.class);

    /** No message of ours is larger; anything else on the port is. */
    private static final int MAX_FRAME_BYTES = 64 << 20;

    private static final int QUEUE_MESSAGES = 4096;
    private static final byte[] END = {};

    /** How TLS begins: a handshake, or the alert that ends one. */
    private static final int TLS_HANDSHAKE = 0x1603;

    private static final int TLS_ALERT = 0x1503;

    /** As long as the head of a TLS record, and none: the other side then knows. */
    private static final byte[] NO_TLS = new byte[8];

    /** Closed to end the connection at once; under TLS a goodbye could wait for the other side. */
    private final Socket socket;

    private final BlockingQueue<byte[]> outgoing = new ArrayBlockingQueue<>(QUEUE_MESSAGES);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread writer;

    /** What messages go over; the reading thread sets it before the writing one starts. */
    private volatile @Nullable Socket opened;

    /** What happens with a connection; called on its reading thread. */
    public interface Handler {
        /** A message came. */
        void received(ControlConnection from, Message message);

        /** The connection ended; called once. */
        void closed(ControlConnection connection, String why);
    }

    /** What has to be done with a fresh socket before messages go over it, on either side. */
    interface Opening {
        /** The socket that messages go over: {@code raw}, or one that encrypts over it. */
        Socket open(Socket raw) throws IOException;
    }

    private ControlConnection(Socket socket, String name, Opening opening, Handler handler)
            throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        writer = new Thread(this::write, name + "-send");
        writer.setDaemon(true);
        Thread reader = new Thread(() -> run(opening, handler), name + "-receive");
        reader.setDaemon(true);
        reader.start();
    }

    /** Takes over an accepted socket; {@code opening} is done on the connection's own thread. */
    static ControlConnection over(Socket socket, Opening opening, Handler handler)
            throws IOException {
        return new ControlConnection(socket, "control-" + socket.getPort(), opening, handler);
    }

    /** Connects to a coordinator on this machine within {@code timeoutNs}, in plain text. */
    public static ControlConnection connect(
            InetSocketAddress coordinator, long timeoutNs, Handler handler) throws IOException {
        return open(coordinator, timeoutNs, raw -> raw, handler);
    }

    /**
     * Connects within {@code timeoutNs} for the TCP connection and as much again for the handshake;
     * once this returns, the other side has taken this machine's certificate.
     *
     * @param credentials of this machine; null for plain text, which goes to loopback only
     * @throws dev.medley.base.ConfigException if trying again cannot help: a side without
     *     credentials, a certificate that is refused
     * @throws IOException if nobody answers, or the connection broke
     */
    public static ControlConnection connect(
            InetSocketAddress address,
            long timeoutNs,
            @Nullable Credentials credentials,
            Handler handler)
            throws IOException {
        if (credentials == null) {
            ControlServer.requireLoopback(address, "connect to");
            return connect(address, timeoutNs, handler);
        }
        return open(
                address,
                timeoutNs,
                raw -> TlsOpening.asDialler(raw, credentials, timeoutNs),
                handler);
    }

    private static ControlConnection open(
            InetSocketAddress address, long timeoutNs, Opening opening, Handler handler)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, (int) Math.max(1, timeoutNs / 1_000_000));
            Socket opened = opening.open(socket);
            return new ControlConnection(socket, "control", raw -> opened, handler);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** The address of this machine by which it reaches the other side. */
    public InetAddress localAddress() {
        return socket.getLocalAddress();
    }

    /** Queues a message; drops it if the connection has ended, which the handler hears of. */
    public void send(Message message) {
        byte[] json = MessageCodec.encode(message);
        if (!closed.get() && !outgoing.offer(json)) {
            close();
        }
    }

    /** Sends what is queued, then closes; waits for that, for at most {@code timeoutNs}. */
    public void closeAfterSending(long timeoutNs) {
        if (outgoing.offer(END)) {
            try {
                writer.join(Math.max(1, timeoutNs / 1_000_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        close();
    }

    /**
     * Sends what is queued, then closes, at the latest after {@code timeoutNs}; returns at once,
     * for a thread that may not wait.
     */
    public void closeOnceSent(long timeoutNs) {
        if (!outgoing.offer(END)) {
            close();
            return;
        }
        CompletableFuture.delayedExecutor(timeoutNs, TimeUnit.NANOSECONDS).execute(this::close);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            outgoing.clear();
            outgoing.add(END);
            try {
                socket.close();
            } catch (IOException e) {
                // A socket that cannot be closed is of no use to either side; its threads end with
                // the stream.
            }
        }
    }

    private void write() {
        try {
            DataOutputStream out =
                    new DataOutputStream(
                            new BufferedOutputStream(opened().getOutputStream(), 1 << 16));
            while (true) {
                byte[] frame = outgoing.take();
                if (frame == END) {
                    out.flush();
                    opened().close();
                    return;
                }
                out.writeInt(frame.length);
                out.write(frame);
                if (outgoing.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Socket opened() {
        return Objects.requireNonNull(opened);
    }

    private void run(Opening opening, Handler handler) {
        String why = "closed";
        try {
            why = openAndRead(opening, handler);
        } catch (EOFException e) {
            why = "closed by the other side";
        } catch (IOException e) {
            why = closed.get() ? "closed here" : "broken: " + e.getMessage();
        } finally {
            close();
            handler.closed(this, why);
        }
    }

    private String openAndRead(Opening opening, Handler handler) throws IOException {
        try {
            opened = opening.open(socket);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        writer.start();
        return read(handler);
    }

    /** Hands messages over until something comes that is none; what that was. */
    private String read(Handler handler) throws IOException {
        DataInputStream in =
                new DataInputStream(new BufferedInputStream(opened().getInputStream(), 1 << 16));
        for (boolean isFirst = true; true; isFirst = false) {
            int length = in.readInt();
            if (length <= 0 || length > MAX_FRAME_BYTES) {
                return stranger(length);
            }
            byte[] json = in.readNBytes(length);
            Message message = isFirst ? MessageCodec.decodeFirst(json) : MessageCodec.decode(json);
            if (!handOver(message, handler)) {
                return "ended here: its message could not be handled";
            }
        }
    }

    /**
     * Whether the handler took it. An exception there is a bug of ours, or a message that we should
     * have refused: it is told, and costs this connection alone.
     */
    private boolean handOver(Message message, Handler handler) {
        try {
            handler.received(this, message);
            return true;
        } catch (ProtocolException e) {
            LOG.warn("{} is cut off: {}", socket.getRemoteSocketAddress(), e.getMessage());
            return false;
        } catch (RuntimeException e) {
            LOG.error(
                    "{} could not be handled: {} is cut off",
                    message.getClass().getSimpleName(),
                    socket.getRemoteSocketAddress(),
                    e);
            return false;
        }
    }

    /** Who says such a length. A side that speaks TLS is answered, so that it knows too. */
    private String stranger(int length) throws IOException {
        if (length >>> 16 == TLS_HANDSHAKE) {
            socket.getOutputStream().write(NO_TLS);
            return "the other side speaks TLS, and this one does not: give both sides credentials,"
                    + " or neither";
        }
        return length >>> 16 == TLS_ALERT
                ? "refused: the other side speaks TLS only; this side needs credentials"
                : "not a Medley peer: a frame of " + length + " bytes";
    }
}

package dev.medley.net.control;

import dev.medley.net.control.Opening.Opened;
import dev.medley.net.door.FrameKey;
import dev.medley.net.door.JoinSecret;
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
 * Carries messages over one control connection, in frames of a length, a signature and that many
 * bytes of JSON. It begins with both sides proving that they know the same secret; until then
 * nothing else is heard.
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

    /** Closed to end the connection at once; under TLS a goodbye could wait for the other side. */
    private final Socket socket;

    private final BlockingQueue<byte[]> outgoing = new ArrayBlockingQueue<>(QUEUE_MESSAGES);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread writer;

    /** The opened socket; the reading thread sets it before the writing one starts. */
    private volatile @Nullable Opened opened;

    /** Hears what happens on a connection; called on its reading thread. */
    public interface Handler {
        /** A message came. */
        void received(ControlConnection from, Message message);

        /** The connection ended; called once. */
        void closed(ControlConnection connection, String why);
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
            InetSocketAddress coordinator, long timeoutNs, JoinSecret pass, Handler handler)
            throws IOException {
        return connect(coordinator, timeoutNs, null, pass, handler);
    }

    /**
     * Connects within {@code timeoutNs} for the TCP connection and as much again for each
     * handshake; once this returns, both sides know each other.
     *
     * @param credentials of this machine; null for plain text, which goes to loopback only
     * @param pass that the other side knows, too
     * @throws dev.medley.base.ConfigException if trying again cannot help: a side without
     *     credentials, a certificate that is refused
     * @throws dev.medley.net.door.Recognition.UnprovenException if who listens there does not know
     *     the secret
     * @throws IOException if nobody answers, or the connection broke
     */
    public static ControlConnection connect(
            InetSocketAddress address,
            long timeoutNs,
            @Nullable Credentials credentials,
            JoinSecret pass,
            Handler handler)
            throws IOException {
        if (credentials == null) {
            ControlServer.requireLoopback(address, "connect to");
        }
        return open(address, timeoutNs, Opening.asCaller(credentials, pass, timeoutNs), handler);
    }

    private static ControlConnection open(
            InetSocketAddress address, long timeoutNs, Opening opening, Handler handler)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, (int) Math.max(1, timeoutNs / 1_000_000));
            Opened opened = opening.open(socket);
            return new ControlConnection(socket, "control", raw -> opened, handler);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Which secret the two know; once something was heard on it. */
    public JoinSecret.Kind kind() {
        return opened().known().kind();
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
                            new BufferedOutputStream(opened().socket().getOutputStream(), 1 << 16));
            FrameKey key = opened().own();
            while (true) {
                byte[] frame = outgoing.take();
                if (frame == END) {
                    out.flush();
                    opened().socket().close();
                    return;
                }
                out.writeInt(frame.length);
                out.write(key.sign(frame));
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

    private Opened opened() {
        return Objects.requireNonNull(opened);
    }

    private void run(Opening opening, Handler handler) {
        String why = "closed";
        try {
            why = openAndRead(opening, handler);
        } catch (EOFException e) {
            why = "closed by the other side";
        } catch (MessageCodec.MalformedException e) {
            why = "broken: " + e.getMessage();
            LOG.warn("{} is cut off: {}", socket.getRemoteSocketAddress(), e.getMessage());
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
                new DataInputStream(
                        new BufferedInputStream(opened().socket().getInputStream(), 1 << 16));
        FrameKey key = opened().theirs();
        for (boolean isFirst = true; true; isFirst = false) {
            int length = in.readInt();
            if (length <= 0 || length > MAX_FRAME_BYTES) {
                return "ended here: a frame of " + length + " bytes";
            }
            byte[] signature = in.readNBytes(FrameKey.SIGNATURE_BYTES);
            byte[] json = in.readNBytes(length);
            if (json.length < length) {
                throw new EOFException();
            } else if (!key.isSigned(json, signature)) {
                return "ended here: a frame that the other side has not signed";
            }
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
}

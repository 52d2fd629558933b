package dev.medley.net.control;

import dev.medley.base.Json;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import tools.jackson.core.JacksonException;

/**
 * One control connection: frames of a length and that many bytes of JSON.
 *
 * <p>{@link #send} never blocks: a peer that does not read for so long that {@value
 * #QUEUE_MESSAGES} messages wait is closed, since it would be lost anyway.
 */
public final class ControlConnection implements AutoCloseable {
    /** No message of ours is larger; anything else on the port is. */
    private static final int MAX_FRAME_BYTES = 64 << 20;

    private static final int QUEUE_MESSAGES = 4096;
    private static final byte[] END = {};

    private final Socket socket;
    private final BlockingQueue<byte[]> outgoing = new ArrayBlockingQueue<>(QUEUE_MESSAGES);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread writer;

    /** What happens with a connection; called on its reading thread. */
    public interface Handler {
        /** A message came. */
        void received(ControlConnection from, Message message);

        /** The connection ended; called once. */
        void closed(ControlConnection connection, String why);
    }

    private ControlConnection(Socket socket, String name, Handler handler) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        writer = new Thread(this::write, name + "-send");
        writer.setDaemon(true);
        Thread reader = new Thread(() -> read(handler), name + "-receive");
        reader.setDaemon(true);
        writer.start();
        reader.start();
    }

    /** Takes over an accepted socket. */
    static ControlConnection over(Socket socket, Handler handler) throws IOException {
        return new ControlConnection(socket, "control-" + socket.getPort(), handler);
    }

    /** Connects to a coordinator within {@code timeoutNs}. */
    public static ControlConnection connect(
            InetSocketAddress coordinator, long timeoutNs, Handler handler) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(coordinator, (int) Math.max(1, timeoutNs / 1_000_000));
            return new ControlConnection(socket, "control", handler);
        } catch (IOException e) {
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
        byte[] json = Json.bytes(message);
        if (!closed.get() && !outgoing.offer(json)) {
            close();
        }
    }

    /** Sends what is queued, for at most {@code timeoutNs}, then closes. */
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
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16))) {
            while (true) {
                byte[] frame = outgoing.take();
                if (frame == END) {
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

    private void read(Handler handler) {
        String why = "closed";
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16))) {
            while (true) {
                int length = in.readInt();
                if (length <= 0 || length > MAX_FRAME_BYTES) {
                    why = "not a Medley peer: a frame of " + length + " bytes";
                    break;
                }
                handler.received(this, Json.parse(in.readNBytes(length), Message.class));
            }
        } catch (EOFException e) {
            why = "closed by the other side";
        } catch (IOException | JacksonException e) {
            why = closed.get() ? "closed here" : "broken: " + e.getMessage();
        } finally {
            close();
            handler.closed(this, why);
        }
    }
}

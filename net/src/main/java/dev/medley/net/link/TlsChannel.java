package dev.medley.net.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * Speaks TLS over a non-blocking channel, and is as non-blocking itself: a read or a write moves
 * what can be moved now.
 *
 * <p>First {@link #handshake} is called until it wants nothing more, by one thread. From then on
 * one thread may read while another writes. (The JDK's engine lets only one of them encrypt or
 * decrypt at a time; they still overlap in the kernel.)
 *
 * <p><b>Reading.</b> A record of up to 16 KB is decrypted whole, so that bytes may wait here which
 * no selector announces: {@link #holdsBytes} tells.
 *
 * <p><b>Writing.</b> A write counts bytes only when the records that carry them are with the
 * kernel, so that nothing is ever left to be flushed here. So a caller that writes again after a
 * write that took less than all begins with the same bytes, as it does with a plain channel.
 *
 * <p>After the handshake TLS itself speaks rarely: after 128 GB in one direction both sides take
 * new keys. The reader then sends the answer if no writer is at work, else the writer does with its
 * next record.
 *
 * <p>The channel ends without TLS's own close message, as a plain link does: the protocol over a
 * link has a last message of its own, and anything shorter is a fault.
 */
final class TlsChannel implements ByteChannel {
    /** Records that are read or written at once. */
    private static final int RECORDS = 8;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;

    // The reader's.
    private final ByteBuffer incoming;
    private final ByteBuffer plain;
    private boolean hasEnded;
    private volatile boolean holdsBytes;

    // Guarded by writing.
    private final ReentrantLock writing = new ReentrantLock();
    private final ByteBuffer outgoing;
    private int inFlightBytes;

    /** The fate of the next record. */
    private enum Taken {
        RECORD,
        NOT_YET,
        END
    }

    /**
     * TLS over a connected non-blocking channel.
     *
     * @param read what was read from the channel already
     */
    TlsChannel(SocketChannel channel, SSLEngine engine, ByteBuffer read) throws IOException {
        SSLSession session = engine.getSession();
        this.channel = channel;
        this.engine = engine;
        this.incoming = ByteBuffer.allocate(RECORDS * session.getPacketBufferSize());
        this.plain = ByteBuffer.allocate(session.getApplicationBufferSize()).limit(0);
        this.outgoing = ByteBuffer.allocate(RECORDS * session.getPacketBufferSize()).limit(0);
        incoming.put(read).flip();
        engine.beginHandshake();
    }

    /**
     * Moves the handshake on as far as it goes now.
     *
     * @return what has to be waited for before the next call; nothing if it is through
     * @throws IOException if the sides do not come together; the other side has been told
     */
    Interest handshake() throws IOException {
        try {
            return advance();
        } catch (SSLException e) {
            tellWhy();
            throw e;
        }
    }

    /** Whether a read has something to hand out, or to decrypt, that is here already. */
    boolean holdsBytes() {
        return holdsBytes;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException(); // Also where decrypted bytes are left.
        }
        int start = into.position();
        drain(into);
        while (into.hasRemaining() && take(into) == Taken.RECORD) {
            drain(into);
        }
        holdsBytes = plain.hasRemaining() || !into.hasRemaining() && incoming.hasRemaining();
        int count = into.position() - start;
        return count == 0 && hasEnded && into.hasRemaining() ? -1 : count;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        writing.lock();
        try {
            int written = 0;
            while (flush()) {
                from.position(from.position() + inFlightBytes);
                written += inFlightBytes;
                inFlightBytes = 0;
                if (!from.hasRemaining()) {
                    break;
                }
                inFlightBytes = encrypt(from.duplicate());
            }
            return written;
        } finally {
            writing.unlock();
        }
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    // ---- Handshake

    private Interest advance() throws IOException {
        while (true) {
            if (!flush()) {
                return Interest.WRITE;
            }
            switch (engine.getHandshakeStatus()) {
                case NOT_HANDSHAKING, FINISHED -> {
                    holdsBytes = incoming.hasRemaining();
                    return Interest.NONE;
                }
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> encrypt(NOTHING);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    Taken taken = takeInto(plain.clear());
                    plain.flip();
                    if (taken == Taken.END) {
                        throw new EOFException("the other side ended the TLS handshake");
                    }
                    if (taken == Taken.NOT_YET) {
                        return Interest.READ;
                    }
                }
            }
        }
    }

    /** The alert that says what was wrong, as far as it can go now. */
    private void tellWhy() {
        try {
            encrypt(NOTHING);
            flush();
        } catch (IOException e) {
            // Who cannot be told sees the end of the connection.
        }
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask();
                task != null;
                task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    // ---- Reading

    private void drain(ByteBuffer into) {
        int count = Math.min(plain.remaining(), into.remaining());
        if (count > 0) {
            into.put(into.position(), plain, plain.position(), count);
            into.position(into.position() + count);
            plain.position(plain.position() + count);
        }
    }

    /** Decrypts a record: straight into {@code into} where any would fit, else to be drained. */
    private Taken take(ByteBuffer into) throws IOException {
        if (into.remaining() >= plain.capacity()) {
            return takeInto(into);
        }
        Taken taken = takeInto(plain.clear());
        plain.flip();
        return taken;
    }

    private Taken takeInto(ByteBuffer into) throws IOException {
        while (!hasEnded) {
            SSLEngineResult result = engine.unwrap(incoming, into);
            if (result.getStatus() == Status.OK) {
                answer(result.getHandshakeStatus());
                return Taken.RECORD;
            }
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                throw new SSLException("a record longer than " + into.capacity() + " bytes");
            }
            if (result.getStatus() == Status.CLOSED) {
                hasEnded = true;
            } else if (!fill()) {
                return hasEnded ? Taken.END : Taken.NOT_YET;
            }
        }
        return Taken.END;
    }

    private boolean fill() throws IOException {
        incoming.compact();
        try {
            int count = channel.read(incoming);
            hasEnded = count < 0;
            return count > 0;
        } finally {
            incoming.flip();
        }
    }

    /** Once the handshake is through, the engine may still have a word to say to what came. */
    private void answer(HandshakeStatus status) throws IOException {
        if (status == HandshakeStatus.NEED_TASK) {
            runTasks();
        } else if (status == HandshakeStatus.NEED_WRAP && writing.tryLock()) {
            try {
                if (!outgoing.hasRemaining() && inFlightBytes == 0) {
                    encrypt(NOTHING);
                    flush();
                }
            } finally {
                writing.unlock();
            }
        }
    }

    // ---- Writing

    /** Hands records to the kernel; whether none is left. */
    private boolean flush() throws IOException {
        if (outgoing.hasRemaining()) {
            channel.write(outgoing);
        }
        return !outgoing.hasRemaining();
    }

    /** Fills the empty {@link #outgoing} with records of {@code from}; bytes that they carry. */
    private int encrypt(ByteBuffer from) throws IOException {
        int start = from.position();
        outgoing.clear();
        try {
            Status status = Status.OK;
            do {
                SSLEngineResult result = engine.wrap(from, outgoing);
                status = result.getStatus();
                if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                    runTasks();
                }
                boolean isStuck = result.bytesConsumed() == 0 && result.bytesProduced() == 0;
                if (from.hasRemaining() && isStuck && status != Status.BUFFER_OVERFLOW) {
                    throw new SSLException("TLS was ended");
                }
            } while (from.hasRemaining() && status == Status.OK);
        } finally {
            outgoing.flip();
        }
        return from.position() - start;
    }
}

package dev.medley.net.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reads the hello of a caller until it has fully arrived. The first byte tells whether the caller
 * speaks TLS: then the hello comes after the handshake. Belongs to the listener's thread.
 */
final class HelloReader {
    /** The first byte of every TLS connection, and of no hello. */
    private static final byte TLS_HANDSHAKE = 0x16;

    private final SocketChannel channel;
    private final LinkSecurity security;
    private final long sinceNs;
    private final ByteBuffer frame = ByteBuffer.allocate(Hello.FRAME_BYTES);
    private @Nullable TlsChannel secured;
    private boolean isThrough;
    private boolean isRefused;

    HelloReader(SocketChannel channel, LinkSecurity security, long sinceNs) {
        this.channel = channel;
        this.security = security;
        this.sinceNs = sinceNs;
    }

    long sinceNs() {
        return sinceNs;
    }

    /**
     * Hears what has come.
     *
     * @return what to wait for; nothing when the hello is whole
     * @throws EOFException if the caller has left
     * @throws IOException if it cannot be understood
     */
    Interest advance() throws IOException {
        if (isRefused) {
            return listenNoMore();
        }
        if (secured == null && frame.position() == 0) {
            hear(channel.read(frame));
            recogniseTls();
        }
        return secured == null ? hearPlain() : hearSecured(secured);
    }

    /** Whether the caller came otherwise than every caller has to. */
    boolean isSecuredOtherwise() {
        if (isRefused) {
            return false; // It was told.
        }
        return switch (security.scope()) {
            case NONE -> frame.position() > 0 && frame.get(0) == TLS_HANDSHAKE;
            case BETWEEN_SITES -> false;
            case ALL -> secured == null && frame.position() > 0 && !Hello.isToRelay(frame);
        };
    }

    /** The whole frame of the hello. */
    ByteBuffer frame() {
        return frame.flip();
    }

    /** The caller that sent it. */
    Caller caller() {
        return new Caller(channel, secured);
    }

    /**
     * The caller was told no. It is heard out until it leaves, since closing now, with words of its
     * own unread, would reset the connection, and it would never read why.
     */
    void refused() {
        isRefused = true;
        try {
            channel.shutdownOutput();
        } catch (IOException gone) {
            // The next read tells.
        }
    }

    private Interest listenNoMore() throws IOException {
        hear(channel.read(frame.clear()));
        return Interest.READ;
    }

    private void recogniseTls() throws IOException {
        boolean isTls = frame.position() > 0 && frame.get(0) == TLS_HANDSHAKE;
        if (isTls && security.scope() != LinkSecurity.Scope.NONE) {
            secured = new TlsChannel(channel, security.required().answering(), frame.flip());
            frame.clear();
        }
    }

    private Interest hearPlain() throws IOException {
        if (!isSecuredOtherwise() && frame.hasRemaining()) {
            hear(channel.read(frame));
        }
        return frame.hasRemaining() ? Interest.READ : Interest.NONE;
    }

    private Interest hearSecured(TlsChannel tls) throws IOException {
        if (!isThrough) {
            Interest wanted = tls.handshake();
            if (wanted != Interest.NONE) {
                return wanted;
            }
            isThrough = true;
        }
        hear(tls.read(frame));
        return frame.hasRemaining() ? Interest.READ : Interest.NONE;
    }

    private static void hear(int count) throws EOFException {
        if (count < 0) {
            throw new EOFException("the caller left");
        }
    }
}

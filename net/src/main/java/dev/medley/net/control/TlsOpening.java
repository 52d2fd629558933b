package dev.medley.net.control;

import dev.medley.base.ConfigException;
import dev.medley.net.tls.Credentials;
import dev.medley.net.tls.TlsFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/**
 * Performs the TLS handshake of a control connection, from either side. It ends at a deadline,
 * however slowly the other side speaks.
 *
 * <p>In TLS 1.3 the side that dials finishes before the other has checked its certificate. So the
 * side that answers then sends one byte, {@link #ADMITTED}: a caller that has read it is admitted,
 * and a caller that was refused hears so while it still dials.
 */
final class TlsOpening {
    private static final int ADMITTED = 6;
    private static final int DRAIN_MS = 500;
    private static final int DRAIN_BYTES = 1 << 16;

    private TlsOpening() {}

    /** Opens TLS on a connection that this side dialled; the caller closes {@code raw}. */
    static Socket asDialler(Socket raw, Credentials credentials, long timeoutNs)
            throws IOException {
        String peer = name(raw);
        try (Deadline deadline = new Deadline(raw, "the TLS handshake", timeoutNs)) {
            try {
                SSLSocket secured = credentials.dialling(raw);
                secured.startHandshake();
                if (secured.getInputStream().read() != ADMITTED) {
                    throw new IOException(peer + " ended the connection in the TLS handshake");
                }
                return secured;
            } catch (IOException e) {
                deadline.check(peer, e);
                String sentence = TlsFailure.sentence(peer, e);
                if (TlsFailure.isLasting(e)) {
                    throw new ConfigException(sentence, e);
                }
                throw new IOException(sentence, e);
            }
        }
    }

    /**
     * Opens TLS on a connection that this side accepted; the caller closes {@code raw}.
     *
     * @throws IOException with one sentence that says who was refused and why
     */
    static Socket asAnswerer(Socket raw, Credentials credentials, long timeoutNs)
            throws IOException {
        String peer = name(raw);
        try (Deadline deadline = new Deadline(raw, "the TLS handshake", timeoutNs)) {
            try {
                SSLSocket secured = credentials.answering(raw);
                secured.startHandshake();
                secured.getOutputStream().write(ADMITTED);
                return secured;
            } catch (IOException e) {
                deadline.check(peer, e);
                drain(raw);
                throw new IOException(TlsFailure.sentence(peer, e), e);
            }
        }
    }

    /** The other side, for messages. */
    static String name(Socket raw) {
        return raw.getRemoteSocketAddress() instanceof InetSocketAddress address
                ? address.getHostString() + ":" + address.getPort()
                : "a caller that left";
    }

    /**
     * Reads what the refused side has said, so that it can read why it was refused: closing with
     * unread bytes resets the connection, and the reason is lost.
     */
    private static void drain(Socket raw) {
        try {
            raw.shutdownOutput();
            raw.setSoTimeout(DRAIN_MS);
            InputStream in = raw.getInputStream();
            byte[] waste = new byte[4096];
            int left = DRAIN_BYTES;
            int count = in.read(waste);
            while (count >= 0 && left > 0) {
                left -= count;
                count = in.read(waste);
            }
        } catch (IOException gone) {
            // It heard what it wanted to hear.
        }
    }
}

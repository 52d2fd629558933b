package dev.medley.net.control;

import dev.medley.net.door.FrameKey;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.door.Recognition;
import dev.medley.net.door.Recognition.Known;
import dev.medley.net.tls.Credentials;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens a fresh socket before messages go over it, on either side. Where there are certificates it
 * starts TLS; then both sides prove that they know the same secret.
 */
@FunctionalInterface
interface Opening {
    /** The name of the recognition, for messages about its deadline. */
    String RECOGNITION = "proving who it is";

    /** Opens; the caller closes {@code raw}, whatever comes of it. */
    Opened open(Socket raw) throws IOException;

    /**
     * A connection on which messages may be said.
     *
     * @param socket that they go over: the raw one, or one that encrypts over it
     * @param known what the two know of each other
     * @param isCaller whether this side dialled
     */
    record Opened(Socket socket, Known known, boolean isCaller) {
        /** Signs what this side says. */
        FrameKey own() {
            return isCaller ? known.fromCaller() : known.fromHost();
        }

        /** Signs what it hears. */
        FrameKey theirs() {
            return isCaller ? known.fromHost() : known.fromCaller();
        }
    }

    /**
     * As the side that dials.
     *
     * @param credentials of this machine; null for plain text
     */
    static Opening asCaller(@Nullable Credentials credentials, JoinSecret pass, long timeoutNs) {
        return raw -> {
            Socket socket =
                    credentials == null ? raw : TlsOpening.asDialler(raw, credentials, timeoutNs);
            String peer = TlsOpening.name(raw);
            try (Deadline deadline = new Deadline(raw, RECOGNITION, timeoutNs)) {
                try {
                    return new Opened(
                            socket,
                            Recognition.asCaller(
                                    socket.getInputStream(), socket.getOutputStream(), pass, peer),
                            true);
                } catch (IOException e) {
                    deadline.check(peer, e);
                    throw e;
                }
            }
        };
    }

    /**
     * As the side that answers.
     *
     * @param credentials of this machine; null for plain text
     */
    static Opening asHost(
            @Nullable Credentials credentials,
            Map<JoinSecret.Kind, JoinSecret> passes,
            long timeoutNs) {
        return raw -> {
            Socket socket =
                    credentials == null ? raw : TlsOpening.asAnswerer(raw, credentials, timeoutNs);
            String peer = TlsOpening.name(raw);
            try (Deadline deadline = new Deadline(raw, RECOGNITION, timeoutNs)) {
                try {
                    return new Opened(
                            socket,
                            Recognition.asHost(
                                    socket.getInputStream(),
                                    socket.getOutputStream(),
                                    passes,
                                    peer),
                            false);
                } catch (IOException e) {
                    deadline.check(peer, e);
                    throw e;
                }
            }
        };
    }
}

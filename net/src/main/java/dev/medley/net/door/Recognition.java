package dev.medley.net.door;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

/**
 * Proves to each side of a new control connection that the other knows the secret, which itself
 * never travels. Both sides also derive keys for the frames that follow. The first bytes are:
 *
 * <pre>
 *     the caller   magic, kind of its pass, a nonce    41 bytes
 *     the host     magic, a nonce, its proof           72
 *     the caller   its proof                           32
 *     the host     admitted                             1
 * </pre>
 *
 * <p>A proof is an HMAC-SHA256 of both nonces under the secret. The host proves first, so that a
 * machine never obeys a stranger who listens where a coordinator should. The keys of the frames
 * follow from the same, so that a man in the middle who forwards these bytes cannot add a frame
 * later.
 *
 * <p>Nothing here waits for longer than the streams do: deadlines belong to the code that opened
 * them.
 */
public final class Recognition {
    private static final long MAGIC = 0x4D65646C65794331L;
    private static final int NONCE_BYTES = 32;
    private static final int ADMITTED = 6;

    /** How TLS begins: a handshake, or the alert that ends one. */
    private static final int TLS_HANDSHAKE = 0x1603;

    private static final int TLS_ALERT = 0x1503;

    /** As long as the head of a TLS record, and none: the other side then knows. */
    private static final byte[] NO_TLS = new byte[8];

    private static final SecureRandom RANDOM = new SecureRandom();

    private Recognition() {}

    /**
     * The result of a recognition, which both sides then share.
     *
     * @param kind of the pass that the caller has
     * @param fromCaller signs what the caller says
     * @param fromHost signs what it is told
     */
    public record Known(JoinSecret.Kind kind, FrameKey fromCaller, FrameKey fromHost) {}

    /** The host does not know the secret. */
    public static final class UnprovenException extends IOException {
        private static final long serialVersionUID = 1L;

        UnprovenException(String message) {
            super(message);
        }
    }

    /** The proofs and keys that follow from a secret and two nonces. */
    private record Proofs(JoinSecret.Kind kind, byte[] key) {
        @SuppressWarnings("EnumOrdinal") // The magic changes with the kinds.
        static Proofs of(JoinSecret pass, byte[] callers, byte[] hosts) {
            byte[] secret = pass.secret().getBytes(StandardCharsets.UTF_8);
            byte[] kind = {(byte) pass.kind().ordinal()};
            return new Proofs(pass.kind(), Hmac.of(secret, "medley", kind, callers, hosts));
        }

        byte[] ofHost() {
            return Hmac.of(key, "the host knows it");
        }

        byte[] ofCaller() {
            return Hmac.of(key, "the caller knows it");
        }

        Known known() {
            return new Known(
                    kind,
                    new FrameKey(Hmac.of(key, "frames of the caller")),
                    new FrameKey(Hmac.of(key, "frames of the host")));
        }
    }

    /**
     * As the side that dials.
     *
     * @param peer for messages
     * @throws UnprovenException if the other side does not know the secret
     */
    @SuppressWarnings("EnumOrdinal") // The magic changes with the kinds.
    public static Known asCaller(InputStream in, OutputStream out, JoinSecret pass, String peer)
            throws IOException {
        byte[] nonce = nonce();
        ByteBuffer first = ByteBuffer.allocate(Long.BYTES + 1 + NONCE_BYTES);
        say(out, first.putLong(MAGIC).put((byte) pass.kind().ordinal()).put(nonce).array());
        DataInputStream answer = new DataInputStream(in);
        try {
            requireMagic(answer, peer);
            Proofs proofs = Proofs.of(pass, nonce, bytes(answer, NONCE_BYTES));
            if (!MessageDigest.isEqual(bytes(answer, Hmac.BYTES), proofs.ofHost())) {
                throw new UnprovenException(
                        "%s, which this side knows, is not known to whoever listens at %s"
                                .formatted(named(pass.kind()), peer));
            }
            say(out, proofs.ofCaller());
            if (answer.readUnsignedByte() != ADMITTED) {
                throw new IOException(peer + " did not admit this side");
            }
            return proofs.known();
        } catch (EOFException e) {
            throw new IOException(peer + " hung up before both sides knew each other", e);
        }
    }

    private static void requireMagic(DataInputStream answer, String peer) throws IOException {
        int first = answer.readUnsignedShort();
        if (first == TLS_ALERT) {
            throw new IOException(
                    peer
                            + " refused: the other side speaks TLS only; this side needs"
                            + " credentials");
        }
        requireMagic(first, answer, peer);
    }

    private static void requireMagic(int first, DataInputStream rest, String peer)
            throws IOException {
        long word = (long) first << 48 | (long) rest.readUnsignedShort() << 32;
        if ((word | rest.readInt() & 0xFFFFFFFFL) != MAGIC) {
            throw new IOException(peer + " is no Medley peer, or one of another build");
        }
    }

    /**
     * As the side that answers.
     *
     * @param passes that let a caller in
     * @param peer for messages
     * @throws IOException with one sentence that says who was not let in and why
     */
    public static Known asHost(
            InputStream in, OutputStream out, Map<JoinSecret.Kind, JoinSecret> passes, String peer)
            throws IOException {
        DataInputStream said = new DataInputStream(in);
        try {
            int first = said.readUnsignedShort();
            if (first == TLS_HANDSHAKE) {
                say(out, NO_TLS);
                throw new IOException(
                        peer
                                + " was refused: the other side speaks TLS, and this one does not:"
                                + " give both sides credentials, or neither");
            }
            requireMagic(first, said, peer);
        } catch (EOFException e) {
            throw new IOException(peer + " hung up before it had said who it is", e);
        }
        return prove(said, out, passes, peer);
    }

    private static Known prove(
            DataInputStream said,
            OutputStream out,
            Map<JoinSecret.Kind, JoinSecret> passes,
            String peer)
            throws IOException {
        JoinSecret.Kind kind = kind(said.readUnsignedByte());
        byte[] theirs = bytes(said, NONCE_BYTES);
        byte[] nonce = nonce();
        JoinSecret pass = passes.getOrDefault(kind, ofNobody(kind));
        Proofs proofs = Proofs.of(pass, theirs, nonce);
        ByteBuffer answer = ByteBuffer.allocate(Long.BYTES + NONCE_BYTES + Hmac.BYTES);
        say(out, answer.putLong(MAGIC).put(nonce).put(proofs.ofHost()).array());
        byte[] proof = said.readNBytes(Hmac.BYTES);
        if (!MessageDigest.isEqual(proof, proofs.ofCaller())) {
            throw new IOException(
                    "%s was turned away: it does not know %s".formatted(peer, named(kind)));
        }
        say(out, new byte[] {ADMITTED});
        return proofs.known();
    }

    private static JoinSecret.Kind kind(int number) {
        return number == 0 ? JoinSecret.Kind.RUN : JoinSecret.Kind.CLUSTER;
    }

    /** A caller with a pass of a kind that this port lacks gets the answer to a wrong secret. */
    private static JoinSecret ofNobody(JoinSecret.Kind kind) {
        return new JoinSecret(kind, HexFormat.of().formatHex(nonce()));
    }

    private static String named(JoinSecret.Kind kind) {
        return kind == JoinSecret.Kind.RUN ? "the secret of the run" : "the join token";
    }

    private static byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    private static byte[] bytes(DataInputStream in, int count) throws IOException {
        byte[] bytes = new byte[count];
        in.readFully(bytes);
        return bytes;
    }

    private static void say(OutputStream out, byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }
}

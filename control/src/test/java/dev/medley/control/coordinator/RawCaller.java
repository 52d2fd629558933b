package dev.medley.control.coordinator;

import dev.medley.base.Json;
import dev.medley.net.control.Message;
import dev.medley.net.door.FrameKey;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.door.Recognition;
import dev.medley.net.door.Recognition.Known;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Somebody who knows a secret, and says whatever bytes it likes. */
final class RawCaller implements AutoCloseable {
    private static final int PATIENCE_MS = 30_000;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final Known known;
    final DataOutputStream out;

    RawCaller(InetSocketAddress coordinator, JoinSecret pass) throws IOException {
        socket.connect(coordinator);
        socket.setSoTimeout(PATIENCE_MS);
        socket.setSoLinger(true, 0); // No port waits for stray packets of one of so many.
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
        known = Recognition.asCaller(in, out, pass, "it");
    }

    /** Signs what this side says. */
    FrameKey key() {
        return known.fromCaller();
    }

    void say(Message message) throws IOException {
        byte[] json = Json.bytes(message);
        out.writeInt(json.length);
        out.write(key().sign(json));
        out.write(json);
    }

    /** The next message of a type; others before it are passed over. */
    <T extends Message> T hear(Class<T> type) throws IOException {
        while (true) {
            int length = in.readInt();
            byte[] signature = in.readNBytes(FrameKey.SIGNATURE_BYTES);
            byte[] json = in.readNBytes(length);
            if (!known.fromHost().isSigned(json, signature)) {
                throw new IOException("not signed");
            }
            Message message = Json.parse(json, Message.class);
            if (type.isInstance(message)) {
                return type.cast(message);
            }
        }
    }

    /** Says no more, and waits until the other side has heard all and hung up. */
    void hearOut() throws IOException {
        socket.shutdownOutput();
        long unused = in.skip(Long.MAX_VALUE);
        while (in.read() >= 0) {}
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package dev.medley.trees;

import dev.medley.base.Json;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Speaks the protocol of XGBoost's tracker (src/collective/protocol.h, 3.4): numbers of 32 bits,
 * little-endian; texts after their length; JSON.
 */
final class TrackerWire {
    private static final Logger LOG = LoggerFactory.getLogger(TrackerWire.class);
    private static final int MAGIC = 0xff99;
    private static final int LONGEST_TEXT = 1 << 14;

    /** What a caller says of itself, and what it wants, as it came. */
    record Call(byte[] hello, byte[] command) {
        private static final int START = 1;

        /** Whether it wants to join; else it leaves, or has something to say. */
        boolean joins() {
            return said("cmd").asInt() == START;
        }

        /** A part of the command. */
        JsonNode said(String key) {
            return Json.parse(command, JsonNode.class).path(key);
        }

        /** What it calls itself. */
        String taskId() {
            return Json.parse(hello, JsonNode.class).path("task_id").asString("");
        }
    }

    private TrackerWire() {}

    /** Hears who calls, and what for. */
    static Call hear(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        if (number(in) != MAGIC) {
            throw new IOException("it speaks another protocol");
        }
        send(socket.getOutputStream(), MAGIC);
        return new Call(text(in), text(in));
    }

    /** Says the same to another tracker. */
    static void say(Call call, Socket socket) throws IOException {
        send(socket.getOutputStream(), MAGIC);
        if (number(new DataInputStream(socket.getInputStream())) != MAGIC) {
            throw new IOException("the group's tracker speaks another protocol");
        }
        send(socket.getOutputStream(), call.hello());
        send(socket.getOutputStream(), call.command());
    }

    private static int number(DataInputStream in) throws IOException {
        return Integer.reverseBytes(in.readInt());
    }

    private static byte[] text(DataInputStream in) throws IOException {
        int length = number(in);
        if (length < 0 || length > LONGEST_TEXT) {
            throw new IOException("a text of " + length + " bytes");
        }
        return in.readNBytes(length);
    }

    static void send(OutputStream out, int number) throws IOException {
        out.write(
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(number)
                        .array());
        out.flush();
    }

    static void send(OutputStream out, byte[] text) throws IOException {
        send(out, text.length);
        out.write(text);
        out.flush();
    }

    static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("a connection did not close: {}", e.toString());
        }
    }
}

package dev.medley.net.control;

import dev.medley.base.Json;
import dev.medley.base.Version;
import java.io.IOException;
import tools.jackson.core.JacksonException;

/**
 * Turns messages into the bytes of a frame and back. A decoded message is whole: nothing in it is
 * null that its type does not announce, and its values are within bounds. Everything else is
 * malformed.
 */
final class MessageCodec {
    private static final String BUILD = Version.build();

    private MessageCodec() {}

    /** A frame was no message: nothing that was meant by it is known. */
    static final class MalformedException extends IOException {
        private static final long serialVersionUID = 1L;

        MalformedException(JacksonException cause) {
            super("malformed message: " + firstLine(cause), cause);
        }

        private static String firstLine(JacksonException cause) {
            return String.valueOf(cause.getOriginalMessage()).lines().findFirst().orElse("");
        }
    }

    static byte[] encode(Message message) {
        return Json.bytes(message);
    }

    static Message decode(byte[] json) throws MalformedException {
        try {
            return Json.parseWhole(json, Message.class);
        } catch (JacksonException e) {
            throw new MalformedException(e);
        }
    }

    /**
     * The first message of a connection. Another build may say it otherwise: then as much is read
     * as it takes to tell that it is another.
     */
    static Message decodeFirst(byte[] json) throws MalformedException {
        try {
            return Json.parseWhole(json, Message.class);
        } catch (JacksonException e) {
            return ofAnotherBuild(json, new MalformedException(e));
        }
    }

    private static Message ofAnotherBuild(byte[] json, MalformedException otherwise)
            throws MalformedException {
        try {
            Message said = Json.parseLeniently(json, Message.class);
            if (said instanceof Message.FirstWords first
                    && !first.version().isEmpty()
                    && !first.version().equals(BUILD)) {
                return said;
            }
        } catch (JacksonException e) {
            otherwise.addSuppressed(e);
        }
        throw otherwise;
    }
}

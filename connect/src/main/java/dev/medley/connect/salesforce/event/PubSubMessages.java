package dev.medley.connect.salesforce.event;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads the messages of {@code eventbus.v1.PubSub}, field by field. */
final class PubSubMessages {
    private static final int CUSTOM = 2;

    private PubSubMessages() {}

    /** What is known of a topic. */
    record Topic(String name, boolean canSubscribe) {}

    /** One event as it comes. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Came(String schemaId, byte[] payload, byte[] replay) {}

    /**
     * Some events, or none and the place of the stream's end.
     *
     * @param pending how many more were asked for
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Fetched(List<Came> events, byte[] latest, int pending) {}

    /** Does something with a field; false to pass over it. */
    private interface Taker {
        boolean take(int number, CodedInputStream in) throws IOException;
    }

    /** A message with one text, its first field. */
    static byte[] naming(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeString(1, text);
        out.flush();
        return bytes.toByteArray();
    }

    /**
     * Asks for events behind {@code replay}, or for those that come from now on where it is empty.
     */
    static byte[] fetch(String topic, byte[] replay, int count) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeString(1, topic);
        if (replay.length > 0) {
            out.writeEnum(2, CUSTOM);
            out.writeByteArray(3, replay);
        }
        out.writeInt32(4, count);
        out.flush();
        return bytes.toByteArray();
    }

    static Topic topic(byte[] message) throws IOException {
        String[] name = {""};
        boolean[] can = {false};
        fields(
                CodedInputStream.newInstance(message),
                (number, in) -> {
                    switch (number) {
                        case 1 -> name[0] = in.readString();
                        case 4 -> can[0] = in.readBool();
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
        return new Topic(name[0], can[0]);
    }

    /** The JSON of a schema. */
    static String schema(byte[] message) throws IOException {
        String[] json = {""};
        fields(
                CodedInputStream.newInstance(message),
                (number, in) -> {
                    if (number == 1) {
                        json[0] = in.readString();
                    }
                    return number == 1;
                });
        return json[0];
    }

    static Fetched fetched(byte[] message) throws IOException {
        List<Came> events = new ArrayList<>();
        byte[][] latest = {new byte[0]};
        int[] pending = {0};
        fields(
                CodedInputStream.newInstance(message),
                (number, in) -> {
                    switch (number) {
                        case 1 -> events.add(nested(in, PubSubMessages::came));
                        case 2 -> latest[0] = in.readByteArray();
                        case 4 -> pending[0] = in.readInt32();
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
        return new Fetched(events, latest[0], pending[0]);
    }

    private static Came came(CodedInputStream in) throws IOException {
        String[] schemaId = {""};
        byte[][] parts = {new byte[0], new byte[0]};
        fields(
                in,
                (number, inner) -> {
                    if (number == 1) {
                        return nested(
                                inner,
                                event -> {
                                    fields(event, (n, e) -> produced(n, e, schemaId, parts));
                                    return true;
                                });
                    }
                    if (number == 2) {
                        parts[1] = inner.readByteArray();
                    }
                    return number == 2;
                });
        return new Came(schemaId[0], parts[0], parts[1]);
    }

    private static boolean produced(
            int number, CodedInputStream in, String[] schemaId, byte[][] parts) throws IOException {
        if (number == 2) {
            schemaId[0] = in.readString();
        } else if (number == 3) {
            parts[0] = in.readByteArray();
        }
        return number == 2 || number == 3;
    }

    private interface Inner<T> {
        T read(CodedInputStream in) throws IOException;
    }

    private static <T> T nested(CodedInputStream in, Inner<T> inner) throws IOException {
        int limit = in.pushLimit(in.readRawVarint32());
        T value = inner.read(in);
        in.checkLastTagWas(0);
        in.popLimit(limit);
        return value;
    }

    private static void fields(CodedInputStream in, Taker taker) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (!taker.take(WireFormat.getTagFieldNumber(tag), in)) {
                in.skipField(tag);
            }
        }
    }
}

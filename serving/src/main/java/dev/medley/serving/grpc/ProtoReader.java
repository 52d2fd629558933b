package dev.medley.serving.grpc;

import static dev.medley.serving.ServingFailure.check;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.protocol.InferRequest;
import dev.medley.serving.protocol.LoadSettings;
import dev.medley.serving.protocol.RawValues;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the messages that callers send. */
final class ProtoReader {
    /** Which model is meant. Version is empty for the one that answers by default. */
    record Meant(String model, String version) {}

    /**
     * A request to compute.
     *
     * @param isRaw whether its inputs came as bytes, as its outputs go then
     */
    record Infer(Meant meant, InferRequest request, boolean isRaw) {}

    private static final int MOST_PARTS = 10_000;

    private ProtoReader() {}

    /** Does something with a field; false to pass over it. */
    private interface Field {
        boolean read(int number, CodedInputStream in) throws IOException;
    }

    private static void fields(byte[] message, Field field) {
        try {
            fields(CodedInputStream.newInstance(message), field);
        } catch (InvalidProtocolBufferException e) {
            throw ServingFailure.invalid(
                    "the message is damaged: %s", String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new IllegalStateException("bytes in memory cannot be read", e);
        }
    }

    private static void fields(CodedInputStream in, Field field) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (!field.read(WireFormat.getTagFieldNumber(tag), in)) {
                in.skipField(tag);
            }
        }
    }

    /** A message within one. */
    private static void nested(CodedInputStream in, Field field) throws IOException {
        int limit = in.pushLimit(in.readRawVarint32());
        fields(in, field);
        in.popLimit(limit);
    }

    /** A model's name in field {@code first}, and its version behind. */
    static Meant meant(byte[] message, int first) {
        String[] found = {"", ""};
        fields(
                message,
                (number, in) -> {
                    int at = number - first;
                    if (at != 0 && at != 1) {
                        return false;
                    }
                    found[at] = in.readStringRequireUtf8();
                    return true;
                });
        return new Meant(found[0], found[1]);
    }

    /** RepositoryModelLoadRequest and its like: the model in field 2, parameters in field 3. */
    static String loaded(byte[] message) {
        String[] found = {""};
        fields(
                message,
                (number, in) -> {
                    if (number == 3) {
                        nested(in, ProtoReader::settingOfLoad);
                        return true;
                    }
                    if (number != 2) {
                        return false;
                    }
                    found[0] = in.readStringRequireUtf8();
                    return true;
                });
        return found[0];
    }

    private static boolean settingOfLoad(int number, CodedInputStream in) throws IOException {
        if (number != 1) {
            return false;
        }
        LoadSettings.refuse(List.of(in.readStringRequireUtf8()));
        return true;
    }

    /** RepositoryIndexRequest: whether only those that are ready are asked for. */
    static boolean readyAlone(byte[] message) {
        boolean[] found = {false};
        fields(
                message,
                (number, in) -> {
                    if (number != 2) {
                        return false;
                    }
                    found[0] = in.readBool();
                    return true;
                });
        return found[0];
    }

    /** An input under way. */
    private static final class Draft {
        private String name = "";
        private String type = "";
        private final List<Long> shape = new ArrayList<>();
        private final Contents contents = new Contents();
    }

    /** ModelInferRequest. */
    static Infer infer(byte[] message) {
        String[] texts = {"", "", ""};
        List<Draft> drafts = new ArrayList<>();
        List<InferRequest.Asked> outputs = new ArrayList<>();
        List<ByteBuffer> raw = new ArrayList<>();
        fields(
                message,
                (number, in) -> {
                    switch (number) {
                        case 1, 2, 3 -> texts[number - 1] = in.readStringRequireUtf8();
                        case 5 -> drafts.add(input(in));
                        case 6 -> outputs.add(output(in));
                        case 7 -> raw.add(ByteBuffer.wrap(in.readByteArray()));
                        default -> {
                            return false;
                        }
                    }
                    check(
                            drafts.size() + outputs.size() + raw.size() <= MOST_PARTS,
                            "there are more than %d inputs and outputs",
                            MOST_PARTS);
                    return true;
                });
        check(
                raw.isEmpty() || raw.size() == drafts.size(),
                "there are %d raw_input_contents for %d inputs",
                raw.size(),
                drafts.size());
        List<WireTensor> inputs = new ArrayList<>();
        for (int i = 0; i < drafts.size(); i++) {
            inputs.add(tensor(drafts.get(i), raw.isEmpty() ? null : raw.get(i)));
        }
        InferRequest request = new InferRequest(texts[2], inputs, outputs, !raw.isEmpty());
        return new Infer(new Meant(texts[0], texts[1]), request, !raw.isEmpty());
    }

    private static Draft input(CodedInputStream in) throws IOException {
        Draft draft = new Draft();
        nested(
                in,
                (number, part) -> {
                    switch (number) {
                        case 1 -> draft.name = part.readStringRequireUtf8();
                        case 2 -> draft.type = part.readStringRequireUtf8();
                        case 3 -> longs(part, draft.shape);
                        case 5 -> nested(part, draft.contents::read);
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
        return draft;
    }

    /** A repeated int64, packed or not. */
    private static void longs(CodedInputStream in, List<Long> into) throws IOException {
        if (WireFormat.getTagWireType(in.getLastTag()) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
            int limit = in.pushLimit(in.readRawVarint32());
            while (in.getBytesUntilLimit() > 0) {
                into.add(in.readInt64());
            }
            in.popLimit(limit);
        } else {
            into.add(in.readInt64());
        }
        check(into.size() <= 16, "a shape has at most 16 dimensions");
    }

    private static InferRequest.Asked output(CodedInputStream in) throws IOException {
        String[] name = {""};
        Map<String, Long> parameters = new HashMap<>();
        nested(
                in,
                (number, part) -> {
                    switch (number) {
                        case 1 -> name[0] = part.readStringRequireUtf8();
                        case 2 -> parameter(part, parameters);
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
        long classes = parameters.getOrDefault("classification", 0L);
        check(classes >= 0, "parameter classification is %d; give 0 or more", classes);
        return new InferRequest.Asked(name[0], false, (int) Math.min(100_000, classes));
    }

    /** An entry of a map to InferParameter: whole numbers alone are of use here. */
    private static void parameter(CodedInputStream in, Map<String, Long> into) throws IOException {
        String[] key = {""};
        long[] value = {0};
        nested(
                in,
                (number, entry) -> {
                    if (number == 1) {
                        key[0] = entry.readStringRequireUtf8();
                        return true;
                    }
                    if (number != 2) {
                        return false;
                    }
                    nested(
                            entry,
                            (kind, part) -> {
                                if (kind != 2) {
                                    return false;
                                }
                                value[0] = part.readInt64();
                                return true;
                            });
                    return true;
                });
        into.put(key[0], value[0]);
    }

    private static WireTensor tensor(
            Draft draft, @org.jspecify.annotations.Nullable ByteBuffer raw) {
        DataType type =
                DataType.of(draft.type)
                        .orElseThrow(
                                () ->
                                        ServingFailure.invalid(
                                                "input '%s': there is no datatype '%s'; there are"
                                                        + " %s",
                                                draft.name,
                                                draft.type.length() > 60
                                                        ? draft.type.substring(0, 60)
                                                        : draft.type,
                                                String.join(", ", DataType.names())));
        WireTensor.count(draft.name, draft.shape);
        if (raw != null) {
            check(
                    draft.contents.count() == 0,
                    "input '%s' has contents and raw_input_contents: one of them",
                    draft.name);
            return new WireTensor(
                    draft.name, type, draft.shape, RawValues.read(draft.name, type, raw));
        }
        Values values = draft.contents.values(draft.name, type);
        return new WireTensor(draft.name, type, draft.shape, values);
    }
}

package dev.medley.connect.salesforce.fake;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Writes answers of the Pub/Sub API: Protobuf outside, Avro inside. */
final class FakeEventForm {
    private static final List<String> TYPES =
            List.of(
                    "CREATE",
                    "UPDATE",
                    "DELETE",
                    "UNDELETE",
                    "GAP_CREATE",
                    "GAP_UPDATE",
                    "GAP_DELETE",
                    "GAP_UNDELETE",
                    "GAP_OVERFLOW");

    private final Schema header = header();

    /** An event and the place behind it. */
    record Placed(FakeEvents.Told told, int behind) {}

    private interface Fields {
        void write(CodedOutputStream out) throws IOException;
    }

    private static Schema header() {
        return SchemaBuilder.record("ChangeEventHeader")
                .namespace("com.sforce.eventbus")
                .fields()
                .requiredString("entityName")
                .name("recordIds")
                .type(words())
                .noDefault()
                .name("changeType")
                .type()
                .enumeration("ChangeType")
                .symbols(TYPES.toArray(String[]::new))
                .noDefault()
                .requiredString("changeOrigin")
                .requiredString("transactionKey")
                .requiredInt("sequenceNumber")
                .requiredLong("commitTimestamp")
                .requiredLong("commitNumber")
                .requiredString("commitUser")
                .name("nulledFields")
                .type(words())
                .noDefault()
                .name("diffFields")
                .type(words())
                .noDefault()
                .name("changedFields")
                .type(words())
                .noDefault()
                .endRecord();
    }

    private static Schema words() {
        return SchemaBuilder.array().items().stringType();
    }

    /**
     * The second one has a field before the header, which Salesforce does not promise not to do.
     */
    private Schema event(String id) {
        SchemaBuilder.FieldAssembler<Schema> fields =
                SchemaBuilder.record("ChangeEvent").namespace("com.sforce.eventbus").fields();
        if (id.equals("second")) {
            fields.name("Tags").type().map().values().array().items().longType().noDefault();
        }
        return fields.name("ChangeEventHeader")
                .type(header)
                .noDefault()
                .optionalString("Name")
                .optionalDouble("Rating__c")
                .endRecord();
    }

    private static byte[] message(Fields fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            fields.write(out);
            out.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }

    byte[] topic(String name) {
        return message(
                out -> {
                    out.writeString(1, name);
                    out.writeBool(3, false);
                    out.writeBool(4, true);
                    out.writeString(5, "first");
                });
    }

    byte[] schema(FakeEventFault fault, String id) {
        String json = fault == FakeEventFault.NO_SCHEMA ? "{\"type\": \"rec" : event(id).toString();
        return message(
                out -> {
                    out.writeString(1, json);
                    out.writeString(2, id);
                });
    }

    List<Placed> some() {
        return new ArrayList<>();
    }

    byte[] fetched(List<Placed> events, int latest, int pending, FakeEventFault fault) {
        return message(
                out -> {
                    for (Placed one : events) {
                        String schema = one.behind() % 2 == 0 ? "second" : "first";
                        byte[] payload = payload(one.told(), schema, fault);
                        byte[] event =
                                message(
                                        inner -> {
                                            inner.writeString(1, "event-" + one.behind());
                                            inner.writeString(2, schema);
                                            inner.writeByteArray(3, payload);
                                        });
                        byte[] consumed =
                                message(
                                        inner -> {
                                            inner.writeByteArray(1, event);
                                            inner.writeByteArray(2, replay(one.behind()));
                                        });
                        out.writeByteArray(1, consumed);
                    }
                    out.writeBytes(2, ByteString.copyFrom(replay(latest)));
                    out.writeString(3, "rpc-1");
                    out.writeInt32(4, pending);
                });
    }

    static byte[] replay(int behind) {
        return ByteBuffer.allocate(10).putLong(behind).array();
    }

    private byte[] payload(FakeEvents.Told told, String schemaId, FakeEventFault fault) {
        if (fault == FakeEventFault.DAMAGED) {
            return "no Avro at all".getBytes(StandardCharsets.US_ASCII);
        }
        if (fault == FakeEventFault.HUGE_TEXT) { // A length of two billion, and nothing behind it.
            return new byte[] {0, (byte) 0x80, (byte) 0xA8, (byte) 0xD6, (byte) 0xB9, 0x0E, 1};
        }
        Schema schema = event(schemaId);
        GenericRecord about = new GenericData.Record(header);
        about.put("entityName", told.topic().replaceAll("^/data/|ChangeEvent$", ""));
        about.put("recordIds", told.ids());
        about.put(
                "changeType",
                new GenericData.EnumSymbol(header.getField("changeType").schema(), told.type()));
        about.put("changeOrigin", "");
        about.put("transactionKey", "0006e261");
        about.put("sequenceNumber", 1);
        about.put("commitTimestamp", told.commitMillis());
        about.put("commitNumber", 1L);
        about.put("commitUser", "005000000000001AAA");
        about.put("nulledFields", List.of());
        about.put("diffFields", List.of());
        about.put("changedFields", List.of("0x02"));
        GenericRecord event = new GenericData.Record(schema);
        if (schema.getField("Tags") != null) {
            event.put("Tags", java.util.Map.of("a", List.of(1L, 2L)));
        }
        event.put("ChangeEventHeader", about);
        event.put("Name", "not looked at");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        try {
            new GenericDatumWriter<GenericRecord>(schema).write(event, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }
}

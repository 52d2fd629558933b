package dev.medley.connect.salesforce.event;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/**
 * Reads the header of change events in the Avro form of one schema. What is behind it, the changed
 * values, is not looked at.
 *
 * <p>Thread: one.
 */
final class HeaderDecoder {
    private static final String HEADER = "ChangeEventHeader";
    private static final int MOST_IDS = 100_000;

    private final Schema schema;

    private HeaderDecoder(Schema schema) {
        this.schema = schema;
    }

    /** Of a schema's JSON. */
    static HeaderDecoder of(String json) throws IOException {
        Schema schema;
        try {
            schema = new Schema.Parser().setValidateDefaults(false).parse(json);
        } catch (AvroRuntimeException | StackOverflowError e) {
            throw new IOException("its schema is none of Avro: " + firstLine(e), e);
        }
        if (schema.getType() != Schema.Type.RECORD || schema.getField(HEADER) == null) {
            throw new IOException("its schema has no " + HEADER);
        }
        return new HeaderDecoder(schema);
    }

    private static String firstLine(Throwable thrown) {
        String said = String.valueOf(thrown.getMessage()).strip();
        String line = said.lines().findFirst().orElse("");
        return line.length() > 200 ? line.substring(0, 200) : line;
    }

    ChangeEventHeader header(byte[] payload) throws IOException {
        AvroBytes in = new AvroBytes(payload);
        for (Schema.Field field : schema.getFields()) {
            if (field.name().equals(HEADER)) {
                return header(in, field.schema());
            }
            in.skip(field.schema());
        }
        throw new IllegalStateException("the schema lost its header");
    }

    private static ChangeEventHeader header(AvroBytes in, Schema given) throws IOException {
        Schema schema = plain(in, given);
        if (schema.getType() != Schema.Type.RECORD) {
            throw new IOException("its header is missing");
        }
        String changeType = "";
        List<String> ids = new ArrayList<>();
        long commitMillis = 0;
        for (Schema.Field field : schema.getFields()) {
            switch (field.name()) {
                case "changeType" -> changeType = word(in, plain(in, field.schema()));
                case "recordIds" -> ids(in, plain(in, field.schema()), ids);
                case "commitTimestamp" -> commitMillis = moment(in, plain(in, field.schema()));
                default -> in.skip(field.schema());
            }
        }
        boolean isOfNone = ids.isEmpty() && !changeType.equals(ChangeEventHeader.OVERFLOW);
        if (changeType.isEmpty() || isOfNone) {
            throw new IOException("its header says no change, or of no record");
        }
        return new ChangeEventHeader(changeType, ids, commitMillis);
    }

    /** What is there of a value that may be missing. */
    private static Schema plain(AvroBytes in, Schema schema) throws IOException {
        return schema.getType() == Schema.Type.UNION ? in.branch(schema) : schema;
    }

    private static String word(AvroBytes in, Schema schema) throws IOException {
        if (schema.getType() == Schema.Type.ENUM) {
            long index = in.whole();
            List<String> words = schema.getEnumSymbols();
            if (index < 0 || index >= words.size()) {
                throw new IOException("its kind of change is none of " + words);
            }
            return words.get((int) index);
        }
        return text(in, schema);
    }

    private static String text(AvroBytes in, Schema schema) throws IOException {
        if (schema.getType() != Schema.Type.STRING) {
            throw new IOException("its header has a %s for a text".formatted(schema.getType()));
        }
        return in.text();
    }

    private static long moment(AvroBytes in, Schema schema) throws IOException {
        if (schema.getType() != Schema.Type.LONG) {
            throw new IOException("its header has a %s for a time".formatted(schema.getType()));
        }
        return in.whole();
    }

    private static void ids(AvroBytes in, Schema schema, List<String> ids) throws IOException {
        if (schema.getType() != Schema.Type.ARRAY) {
            throw new IOException("its header has a %s for ids".formatted(schema.getType()));
        }
        for (int count = in.block(); count > 0; count = in.block()) {
            if (ids.size() + count > MOST_IDS) {
                throw new IOException("it tells of more than %,d records".formatted(MOST_IDS));
            }
            for (int i = 0; i < count; i++) {
                ids.add(text(in, plain(in, schema.getElementType())));
            }
        }
    }
}

package dev.medley.connect.postgres;

import dev.medley.base.ConfigException;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.ColumnVector;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Decodes what {@code COPY … TO STDOUT (FORMAT binary)} sends into batches. A message of the server
 * has one row; the first also has the header, the last the end mark.
 *
 * <p>Thread: one.
 */
final class CopyDecoder {
    private static final int SIGNATURE_BYTES = 11;
    private static final byte[] SIGNATURE = {
        'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0
    };
    private static final int END = -1;
    private static final int MISSING = -1;

    /** From 1970-01-01 to 2000-01-01, from where PostgreSQL counts. */
    private static final long EPOCH_DAYS = 10_957;

    private static final long EPOCH_MICROS = EPOCH_DAYS * 86_400 * 1_000_000;

    private final List<WireColumn> columns;
    private final WireForm[] forms;
    private final RowBatch batch;
    private final RowSink sink;
    private boolean hasBegun;

    CopyDecoder(List<WireColumn> columns, RowSink sink) {
        this.columns = columns;
        this.forms = columns.stream().map(WireColumn::form).toArray(WireForm[]::new);
        this.batch =
                new RowBatch(
                        columns.stream().map(WireColumn::column).toList(), RowBatch.USUAL_CAPACITY);
        this.sink = sink;
    }

    /** Takes one message. */
    void accept(byte[] message) throws IOException {
        int at = hasBegun ? 0 : header(message);
        hasBegun = true;
        while (at < message.length) {
            int fields = Wire.int2(message, at);
            at += Short.BYTES;
            if (fields == END) {
                return;
            }
            if (fields != forms.length) {
                throw new IOException(
                        "the server sends %d columns instead of %d"
                                .formatted(fields, forms.length));
            }
            at = row(message, at);
        }
    }

    /** Hands over the rows that do not fill a batch. */
    void end() throws IOException {
        if (batch.rows() > 0) {
            sink.accept(batch);
            batch.clear();
        }
    }

    private static int header(byte[] message) throws IOException {
        if (message.length < SIGNATURE_BYTES + 2 * Integer.BYTES
                || !Arrays.equals(message, 0, SIGNATURE_BYTES, SIGNATURE, 0, SIGNATURE_BYTES)) {
            throw new IOException("the server does not send rows in binary form");
        }
        return SIGNATURE_BYTES
                + 2 * Integer.BYTES
                + Wire.int4(message, SIGNATURE_BYTES + Integer.BYTES);
    }

    private int row(byte[] message, int start) throws IOException {
        int at = start;
        int row = batch.add();
        for (int column = 0; column < forms.length; column++) {
            int length = Wire.int4(message, at);
            at += Integer.BYTES;
            if (length != MISSING) {
                value(column, row, message, at, length);
                at += length;
            }
        }
        if (batch.isFull()) {
            end();
        }
        return at;
    }

    private void value(int column, int row, byte[] bytes, int at, int length) throws IOException {
        ColumnVector to = batch.column(column);
        switch (forms[column]) {
            case BOOL -> to.setLong(row, bytes[at]);
            case INT2 -> to.setLong(row, Wire.int2(bytes, at));
            case INT4 -> to.setLong(row, Wire.int4(bytes, at));
            case INT8 -> to.setLong(row, Wire.int8(bytes, at));
            case FLOAT4 -> to.setDouble(row, Float.intBitsToFloat(Wire.int4(bytes, at)));
            case FLOAT8 -> to.setDouble(row, Double.longBitsToDouble(Wire.int8(bytes, at)));
            case NUMERIC -> to.setText(row, NumericText.of(bytes, at));
            case TEXT, CAST_TO_TEXT -> to.setText(row, text(column, bytes, at, length));
            case JSONB -> to.setText(row, text(column, bytes, at + 1, length - 1));
            case UUID ->
                    to.setText(
                            row,
                            new java.util.UUID(Wire.int8(bytes, at), Wire.int8(bytes, at + 8))
                                    .toString());
            case DATE -> to.setLong(row, days(Wire.int4(bytes, at)));
            case TIMESTAMP, TIMESTAMPTZ -> to.setLong(row, micros(column, Wire.int8(bytes, at)));
            case BYTEA -> to.setBytes(row, Arrays.copyOfRange(bytes, at, at + length));
        }
    }

    private static long days(int days) {
        return switch (days) {
            case Integer.MAX_VALUE -> ColumnType.INFINITE;
            case Integer.MIN_VALUE -> ColumnType.MINUS_INFINITE;
            default -> days + EPOCH_DAYS;
        };
    }

    private long micros(int column, long micros) {
        if (micros == Long.MAX_VALUE) {
            return ColumnType.INFINITE;
        } else if (micros == Long.MIN_VALUE) {
            return ColumnType.MINUS_INFINITE;
        }
        ConfigException.check(
                micros < Long.MAX_VALUE - EPOCH_MICROS,
                "column '%s': has a time after the year 294246, for which there is no room in 64"
                        + " bits of microseconds: mend it, or leave the column out",
                columns.get(column).column().name());
        return micros + EPOCH_MICROS;
    }

    private String text(int column, byte[] bytes, int at, int length) throws IOException {
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) {
            requireUtf8(column, ByteBuffer.wrap(bytes, at, length));
        }
        return text;
    }

    private void requireUtf8(int column, ByteBuffer bytes) throws IOException {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(bytes);
        } catch (CharacterCodingException e) {
            throw new ConfigException(
                    "column '%s': has a text that is not UTF-8, though the server says so: mend it,"
                                    .formatted(columns.get(column).column().name())
                            + " or read it as bytea through a view",
                    e);
        }
    }
}

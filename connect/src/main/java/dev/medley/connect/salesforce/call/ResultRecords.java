package dev.medley.connect.salesforce.call;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads records of CSV (RFC 4180) one by one. A quoted value that has no end is an error: the text
 * was cut.
 *
 * <p>Thread: one.
 */
public final class ResultRecords implements AutoCloseable {
    private final Reader in;
    private final char[] buffer = new char[1 << 16];
    private final StringBuilder value = new StringBuilder();
    private int at;
    private int end;

    /** Reads nothing yet. */
    public ResultRecords(Reader in) {
        this.in = in;
    }

    /** The next record; an empty list at the end. Lines without anything are passed over. */
    public List<String> next() throws IOException {
        List<String> record = new ArrayList<>();
        value.setLength(0);
        boolean isAny = false;
        while (true) {
            int c = read();
            if (c < 0 || c == '\n') {
                if (isAny) {
                    record.add(value.toString());
                    return record;
                }
                if (c < 0) {
                    return List.of();
                }
            } else if (c == ',') {
                isAny = true;
                record.add(value.toString());
                value.setLength(0);
            } else if (c == '"') {
                isAny = true;
                quoted();
            } else if (c != '\r') {
                isAny = true;
                value.append((char) c);
            }
        }
    }

    private void quoted() throws IOException {
        while (true) {
            int c = read();
            if (c < 0) {
                throw new IOException("the CSV ends within a quoted value: it was cut");
            }
            if (c == '"') {
                if (peek() != '"') {
                    return;
                }
                at++;
            }
            value.append((char) c);
        }
    }

    private int peek() throws IOException {
        if (at == end) {
            end = Math.max(0, in.read(buffer));
            at = 0;
        }
        return end == 0 ? -1 : buffer[at];
    }

    private int read() throws IOException {
        int c = peek();
        at += c < 0 ? 0 : 1;
        return c;
    }

    /** A record as a line; a value with a quote, a comma or a line end is quoted. */
    public static void append(StringBuilder text, List<String> record) {
        for (int i = 0; i < record.size(); i++) {
            text.append(i == 0 ? "" : ",");
            String one = record.get(i);
            boolean isPlain =
                    one.indexOf('"') < 0
                            && one.indexOf(',') < 0
                            && one.indexOf('\n') < 0
                            && one.indexOf('\r') < 0
                            && one.equals(one.strip());
            if (isPlain) {
                text.append(one);
            } else {
                text.append('"').append(one.replace("\"", "\"\"")).append('"');
            }
        }
        text.append('\n');
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}

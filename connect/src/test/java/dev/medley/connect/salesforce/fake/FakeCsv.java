package dev.medley.connect.salesforce.fake;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes and reads CSV as Bulk 2.0 does: all values quoted, none for null. */
final class FakeCsv {
    private FakeCsv() {}

    static String line(List<? extends @Nullable String> values) {
        StringBuilder line = new StringBuilder();
        for (String value : values) {
            line.append(line.length() == 0 ? "" : ",")
                    .append('"')
                    .append(value == null ? "" : value.replace("\"", "\"\""))
                    .append('"');
        }
        return line.append('\n').toString();
    }

    static List<List<String>> parse(String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder value = new StringBuilder();
        boolean quoted = false;
        boolean isAny = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted) {
                if (c == '"' && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                    value.append('"');
                    i++;
                } else if (c == '"') {
                    quoted = false;
                } else {
                    value.append(c);
                }
                continue;
            }
            isAny |= c != '\n' && c != '\r';
            if (c == '"') {
                quoted = true;
            } else if (c == ',') {
                row.add(value.toString());
                value.setLength(0);
            } else if (c == '\n') {
                if (isAny) {
                    row.add(value.toString());
                    rows.add(row);
                }
                row = new ArrayList<>();
                value.setLength(0);
                isAny = false;
            } else if (c != '\r') {
                value.append(c);
            }
        }
        if (isAny) {
            row.add(value.toString());
            rows.add(row);
        }
        return rows;
    }
}

package dev.medley.connect.files;

import dev.medley.base.ConfigException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * Reads the first line of a CSV file (RFC 4180). Nothing about the file is guessed from its rows,
 * where one odd row could change what all mean; the delimiter is that of comma, semicolon, tab and
 * bar which the line has most of.
 */
record CsvHeader(char delimiter, List<String> names) {
    private static final String DELIMITERS = ",;\t|";
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final int MOST_CHARACTERS = 10_000_000;

    static CsvHeader of(Path file) throws IOException {
        String line = line(file);
        char delimiter = ',';
        int most = 0;
        for (int i = 0; i < DELIMITERS.length(); i++) {
            char candidate = DELIMITERS.charAt(i);
            int count = fields(line, candidate).size();
            if (count > most) {
                most = count;
                delimiter = candidate;
            }
        }
        List<String> names = fields(line, delimiter);
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            ConfigException.check(
                    !name.isEmpty() && seen.add(name),
                    "%s: its first line has to name all columns, each once, but has '%s' %s: mend"
                            + " it",
                    file,
                    name,
                    name.isEmpty() ? "for one" : "twice");
        }
        return new CsvHeader(delimiter, names);
    }

    private static String line(Path file) throws IOException {
        StringBuilder line = new StringBuilder();
        boolean isQuoted = false;
        try (InputStream bytes = Files.newInputStream(file);
                InputStream plain =
                        file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
                BufferedReader reader =
                        new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
            for (int c = reader.read(); c >= 0; c = reader.read()) {
                isQuoted ^= c == '"';
                if (!isQuoted && (c == '\n' || c == '\r')) {
                    break;
                }
                if (line.length() > 0 || c != BYTE_ORDER_MARK) {
                    line.append((char) c);
                }
                ConfigException.check(
                        line.length() < MOST_CHARACTERS, "%s: has no line of column names", file);
            }
        }
        return line.toString();
    }

    private static List<String> fields(String line, char delimiter) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                boolean isDoubled = isQuoted && i + 1 < line.length() && line.charAt(i + 1) == '"';
                if (isDoubled) {
                    field.append(c);
                    i++;
                } else {
                    isQuoted = !isQuoted;
                }
            } else if (c == delimiter && !isQuoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}

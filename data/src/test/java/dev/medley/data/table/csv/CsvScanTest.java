package dev.medley.data.table.csv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is unusual is found wherever it stands, also where two chunks meet. */
@Tag("property")
class CsvScanTest {
    private static final int CHUNK_BYTES = 1 << 18;
    private static final List<String> PARTS =
            List.of(
                    "a b,c\n",
                    ", x\n",
                    "x ,\n",
                    "\r\n",
                    "\r",
                    "\0\0\n",
                    "\u001a",
                    "\0x\n",
                    "\" q\"\n",
                    ",\"a\nb\"\n",
                    "\"a\"\"\r\"\n",
                    "x\"y\n");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void everyByteShouldBeSeenWhereverItStands(long seed) throws IOException {
        RandomGenerator random = Seeds.generator(seed);
        StringBuilder text = new StringBuilder();
        while (text.length() < CHUNK_BYTES + 9) {
            text.append("ab,cd\n");
        }
        for (int i = random.nextInt(3); i >= 0; i--) {
            String part = PARTS.get(random.nextInt(PARTS.size()));
            int at = CHUNK_BYTES - 5 + random.nextInt(10);
            text.insert(random.nextInt(4) == 0 ? text.length() : at, part);
        }
        assertThat(scan(text.toString())).isEqualTo(expected(text.toString()));
    }

    /** All that the engine's trim takes off, also where two chunks meet in the middle of one. */
    @Test
    void spacesOfAllKindsShouldBeSeen() throws IOException {
        for (int c = 1; c < Character.MAX_VALUE; c++) {
            if (Character.getType(c) == Character.SPACE_SEPARATOR) {
                for (int at = CHUNK_BYTES - 4; at <= CHUNK_BYTES; at++) {
                    String before = "x".repeat(at - 1) + ",";
                    for (String cell : List.of((char) c + "a", "a" + (char) c)) {
                        for (String end : List.of("", "\n", ",")) {
                            assertThat(scan(before + cell + end).hasSpacedValues())
                                    .as("U+%04X", c)
                                    .isTrue();
                        }
                    }
                }
            }
        }
        assertThat(scan("\u00e9,\u00fc\n").hasSpacedValues()).isFalse();
    }

    private static CsvScan scan(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return CsvScan.of(new ByteArrayInputStream(bytes), ",");
    }

    /** The same by searching the whole text. */
    private static CsvScan expected(String text) throws IOException {
        String pairs = text.replace("\r\n", "");
        int ends =
                (pairs.contains("\n") ? CsvRecords.LF : 0)
                        + (pairs.contains("\r") ? CsvRecords.CR : 0)
                        + (text.contains("\r\n") ? CsvRecords.CRLF : 0);
        int last = text.length();
        while (last > 0 && "\r\n\0\u001a".indexOf(text.charAt(last - 1)) >= 0) {
            last--;
        }
        int padding = last;
        while (padding < text.length() && "\r\n".indexOf(text.charAt(padding)) >= 0) {
            padding++;
        }
        int nul = text.indexOf('\0');
        boolean hasSpaces = (text + "\n").matches("(?s).*([,\n\r\"] | [,\n\r\"]).*");
        return new CsvScan(
                ends,
                padding,
                nul < last ? nul : -1,
                text.length(),
                hasSpaces,
                hasQuotedLines(text));
    }

    private static boolean hasQuotedLines(String text) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] bytes = (text + "\nend").getBytes(StandardCharsets.US_ASCII);
        boolean isFound = false;
        boolean isWhole = false;
        try (CsvRecords records = new CsvRecords(new ByteArrayInputStream(bytes), ",", content)) {
            while (records.next()) {
                String record = content.toString(StandardCharsets.US_ASCII);
                isFound |= record.matches("(?s).*[\n\r].*");
                isWhole = record.equals("end");
                content.reset();
            }
        }
        return isFound && isWhole;
    }
}

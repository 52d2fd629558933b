package dev.medley.data.table.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line ends within values are found wherever a text is cut into chunks. */
@Tag("unit")
class QuotedLinesCutTest {
    @ParameterizedTest
    @CsvSource({
        "'a,\"x~y\",b~', true",
        "'a,   \"x~y\",b~', true",
        "'a,x   \"x~y\",b~', false",
        "'~   \"x~y\"', true",
        "'   \"x~y\"', true",
        "'a   \"x~y\"', false",
        "'abc,\u00e9\"x~y\"', false",
        "'\ufeff\"x~y\"', true",
        "'\"x\"\"~y\",1', true",
        "'\"x\" \"~y\",1', false",
        "'\"x\",\"y\"~', false",
        "'a,\"x~y', false",
        "'ab~cd,  ~', false"
    })
    void shouldBeFoundInAnyPieces(String text, boolean isFound) {
        byte[] bytes = text.replace('~', '\n').getBytes(StandardCharsets.UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            for (int next = cut; next <= bytes.length; next++) {
                QuotedLines lines = new QuotedLines(",");
                add(lines, bytes, 0, cut);
                add(lines, bytes, cut, next);
                add(lines, bytes, next, bytes.length);
                assertThat(lines.areWhole()).as("%s, %d, %d", text, cut, next).isEqualTo(isFound);
            }
        }
    }

    private static void add(QuotedLines lines, byte[] bytes, int from, int to) {
        if (from == to) {
            return;
        }
        byte[] chunk = Arrays.copyOfRange(bytes, from, to);
        boolean hasMarks = new String(chunk, StandardCharsets.ISO_8859_1).indexOf('"') >= 0;
        // A buffer is longer than what was read into it.
        lines.add(Arrays.copyOf(chunk, chunk.length + 3), chunk.length, hasMarks);
    }
}

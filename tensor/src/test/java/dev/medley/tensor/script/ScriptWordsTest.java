package dev.medley.tensor.script;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What LibTorch says is shown without places in its memory and its source. */
@Tag("unit")
class ScriptWordsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Unknown type name 'Net' (of Python compilation unit at: 0x7f3a5c0012a0):"
                        + " | Unknown type name 'Net'",
                "open file failed (open at ../caffe2/serialize.cc:41) | open file failed",
            })
    void shouldSayNoPlaces(String said, String shown) {
        assertThat(ScriptFile.firstLine(new IllegalStateException(said))).isEqualTo(shown);
    }
}

package dev.medley.onnx.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.data.table.csv.DecimalMark;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class OtherTextsTest {
    @Test
    void shouldKnowNumbersByThePointOfTheirFiles() {
        assertThat(OtherTexts.of(List.of("1.0", "red", "2.50"), DecimalMark.POINT))
                .containsOnlyKeys("1", "1.0", "2.5");
    }

    @Test
    void shouldKnowNumbersByTheCommaOfTheirFiles() {
        assertThat(OtherTexts.of(List.of("1,0", "2,50"), DecimalMark.COMMA))
                .containsOnlyKeys("1", "1,0", "2,5");
        assertThat(OtherTexts.of(List.of("1.0"), DecimalMark.COMMA)).isEmpty(); // A text there.
    }
}

package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.OwnSourceTest;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.CustomEncoding;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TextEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Texts and own sources that a trained model learns more from are read as that model reads them.
 */
@Tag("unit")
class GivenEncodingTest {
    private final Path folder;
    private final GivenEncoding data;

    GivenEncodingTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void aTextShouldKeepTheVocabularyOfTheModel() throws IOException {
        TextSpec characters = new TextSpec(TextUnit.CHARACTERS, 4, 1, List.of("*"));
        SplitSpec tail = new SplitSpec(SplitKind.TAIL, 0.5, null);
        Path first = Files.writeString(folder.resolve("a.txt"), "bcd".repeat(20));
        Encoding model = data.trained(Given.files(first).text(characters).split(tail));
        Path second = Files.writeString(folder.resolve("b.txt"), "dxcb".repeat(20));
        Given given = Given.files(second).text(characters).split(tail);
        PreparedData more = data.prepareAs(model, given);
        assertThat(more.encoding())
                .isEqualTo(new TextEncoding(TextUnit.CHARACTERS, 4, List.of("b", "c", "d")));
        assertThat(more.trainSamples()).isEqualTo(data.prepare(given).trainSamples());
        assertThat(more.findings().sentences())
                .anyMatch(s -> s.equals(unknown(20, "b")))
                .noneMatch(s -> s.contains("share one token"));
        try (TrainingData training = TrainingData.open(more, 1, Clock.system())) {
            assertThat(Given.longs(training.validation(0, 1).inputs().get(0)))
                    .containsExactly(2, 0, 1, 0);
        }
        data.assertRefused(
                model,
                given.text(new TextSpec(TextUnit.CHARACTERS, 8, 1, List.of("*"))),
                "data.text.context=8",
                "data.text.context=4");
        data.assertRefused(
                model,
                given.text(new TextSpec(TextUnit.BYTES, 4, 1, List.of("*"))),
                "data.text.unit=BYTES",
                "data.text.unit=CHARACTERS");
    }

    private static String unknown(int count, String as) {
        return "%d characters are unknown to the model: all are read as its '%s' (U+%04X)"
                .formatted(count, as, as.codePointAt(0));
    }

    @Test
    void aSourceOfOnesOwnShouldGiveWhatTheModelWasTrainedOn() {
        ClassSpec type = new ClassSpec(OwnSourceTest.Counting.class.getName(), Map.of());
        PreparedData first = data.prepare(Given.custom(type));
        CustomEncoding model = (CustomEncoding) GivenEncoding.again(first);
        assertThat(data.prepareAs(model, Given.custom(type)).trainSamples())
                .isEqualTo(first.trainSamples());
        TextEncoding text = new TextEncoding(TextUnit.BYTES, 4, List.of());
        data.assertRefused(
                new CustomEncoding(type, text.signature()), Given.custom(type), "trained on");
        data.assertRefused(text, Given.custom(type), "CUSTOM", "another kind of data");
    }
}

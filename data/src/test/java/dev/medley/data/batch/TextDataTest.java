package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.order.SampleOrder;
import dev.medley.data.order.SampleRange;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class TextDataTest {
    private static final SplitSpec FIFTH = new SplitSpec(SplitKind.RANDOM, 0.2, null);

    @TempDir Path folder;

    @Test
    void shouldCutWindowsWhoseTargetIsOneTokenFurther() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), alphabet(100));
        PreparedData data = prepare(Given.files(file).text(bytes(8, 3)).split(FIFTH));
        // 80 tokens to train: windows at 0, 3, ... 69, 20 to validate: two whole windows of 8.
        assertThat(data.trainSamples()).isEqualTo(24);
        assertThat(data.validationSamples()).isEqualTo(2);
        try (TrainingData training = TrainingData.open(data, 1, Clock.system());
                BatchStream stream = training.train(s -> new SampleRange(0, 0, 24), 1, 1)) {
            Batch batch = stream.next();
            long[] inputs = Given.longs(batch.inputs().get(0));
            long[] targets = Given.longs(batch.target());
            SampleOrder order = new SampleOrder(data.train().layout(), 1, 0);
            for (int row = 0; row < 24; row++) {
                int start = (int) order.sampleAt(row) * 3;
                assertThat(text(inputs, row)).isEqualTo(alphabet(100).substring(start, start + 8));
                assertThat(text(targets, row))
                        .isEqualTo(alphabet(100).substring(start + 1, start + 9));
            }
            Batch held = training.validation(0, 2);
            assertThat(text(Given.longs(held.inputs().get(0)), 1))
                    .isEqualTo(alphabet(100).substring(88, 96));
        }
    }

    @Test
    void shouldTakeMatchingFilesOfAFolderInOrderAndKeepThemApart() throws IOException {
        Files.createDirectories(folder.resolve("text/sub"));
        Files.createDirectories(folder.resolve("text/.git"));
        Files.writeString(folder.resolve("text/b.md"), "bbbbbbbb");
        Files.writeString(folder.resolve("text/a.md"), "aaaaaaaa\n");
        Files.writeString(folder.resolve("text/sub/c.java"), "cccccccc");
        Files.writeString(folder.resolve("text/skip.bin"), "xxxx");
        Files.writeString(folder.resolve("text/.git/d.md"), "dddd");
        TextSpec spec = new TextSpec(TextUnit.BYTES, 25, 25, List.of("*.md", "*.java"));
        PreparedData data =
                prepare(
                        Given.files(folder.resolve("text"))
                                .format(DataFormat.TEXT)
                                .text(spec)
                                .split(new SplitSpec(SplitKind.TAIL, 0, null)));
        try (TrainingData training = TrainingData.open(data, 1, Clock.system());
                BatchStream stream = training.train(s -> new SampleRange(0, 0, 1), 1, 1)) {
            Batch batch = stream.next();
            assertThat(text(Given.longs(batch.inputs().get(0)), 0, 25))
                    .isEqualTo("aaaaaaaa\nbbbbbbbb\nccccccc");
        }
    }

    @Test
    void shouldNumberTheCharactersOfTheTrainingText() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "cabz😀é".repeat(20));
        TextSpec spec = new TextSpec(TextUnit.CHARACTERS, 4, 1, List.of("*"));
        PreparedData data =
                prepare(
                        Given.files(file)
                                .text(spec)
                                .split(new SplitSpec(SplitKind.TAIL, 0.2, null)));
        TextEncoding encoding = (TextEncoding) data.encoding();
        assertThat(encoding.vocabulary()).containsExactly("a", "b", "c", "z", "é", "😀");
        assertThat(encoding.decode(encoding.encode("abé😀"))).isEqualTo("abé😀");
        assertThat(Json.parse(Json.line(data), PreparedData.class)).isEqualTo(data);
    }

    @Test
    void shouldLearnBytePairsOfTheTrainingTextAlone() throws IOException {
        String learnt = "the cat sat on the mat with the hat; ".repeat(4000); // Several passages.
        Path file = Files.writeString(folder.resolve("a.txt"), learnt + "zzzzzz ".repeat(2200));
        TextSpec spec = new TextSpec(TextUnit.BPE, 8, 8, List.of("*"), 300, null);
        PreparedData data =
                prepare(
                        Given.files(file)
                                .text(spec)
                                .split(new SplitSpec(SplitKind.TAIL, 0.2, null)));
        TextEncoding encoding = (TextEncoding) data.encoding();
        assertThat(encoding.vocabularySize()).isBetween(260, 300);
        assertThat(encoding.encode(" the")).hasSize(1);
        assertThat(encoding.encode("zzzz")).hasSize(4);
        assertThat(encoding.decode(encoding.encode("abé😀"))).isEqualTo("abé😀");
        long[] whole = encoding.encode(Files.readString(file));
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            assertThat(Given.longs(training.validation(0, 1).inputs().get(0)))
                    .containsExactly(Arrays.copyOfRange(whole, cut(whole), cut(whole) + 8));
        }
        assertThat(Json.parse(Json.line(data), PreparedData.class)).isEqualTo(data);
    }

    private static int cut(long[] tokens) {
        return (int) (tokens.length * (1 - 0.2));
    }

    @Test
    void shouldGiveCharactersThatTrainingHasNotSeenOneToken() throws IOException {
        Path train = Files.writeString(folder.resolve("a.txt"), "abc".repeat(10));
        Path held = Files.writeString(folder.resolve("b.txt"), "axyz".repeat(10));
        TextSpec spec = new TextSpec(TextUnit.CHARACTERS, 4, 4, List.of("*"));
        PreparedData data = prepare(Given.files(train).validation(held).text(spec));
        TextEncoding encoding = (TextEncoding) data.encoding();
        assertThat(encoding.vocabulary()).containsExactly("a", "b", "c", TextEncoding.UNKNOWN);
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            assertThat(Given.longs(training.validation(0, 1).inputs().get(0)))
                    .containsExactly(0, 3, 3, 3);
        }
    }

    @Test
    void shouldEncodeNewTextWithTheVocabularyOfTheModel() throws IOException {
        Path train = Files.writeString(folder.resolve("a.txt"), "abcd".repeat(10));
        Path fresh = Files.writeString(folder.resolve("b.txt"), "dcbadcbad");
        TextSpec spec = new TextSpec(TextUnit.CHARACTERS, 4, 4, List.of("*"));
        PreparedData data = prepare(Given.files(train).text(spec).split(FIFTH));
        PreparedData encoded =
                Datasets.encode(
                        data.encoding(),
                        Given.files(fresh).spec(),
                        folder.resolve("cache"),
                        PreparationProgress.NONE);
        assertThat(encoded.trainSamples()).isZero();
        assertThat(encoded.validationSamples()).isEqualTo(2);
        try (TrainingData training = TrainingData.open(encoded, 1, Clock.system())) {
            assertThat(Given.longs(training.validation(1, 2).target())).containsExactly(2, 1, 0, 3);
        }
    }

    @Test
    void shouldRefuseATextShorterThanAWindow() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "short");
        assertThatThrownBy(() -> prepare(Given.files(file).text(bytes(8, 8))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("fewer than one window of data.text.context=8");
    }

    @Test
    void shouldRefuseAnEmptyText() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "");
        assertThatThrownBy(() -> prepare(Given.files(file).text(bytes(8, 8))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("empty");
    }

    @Test
    @Tag("real")
    void shouldPrepareShakespeareAsThePeerDoes() {
        Path file = Given.shared("tiny-shakespeare/input.txt.gz");
        TextSpec spec = new TextSpec(TextUnit.CHARACTERS, 128, 1, List.of("*"));
        PreparedData data = prepare(Given.files(file).text(spec).format(DataFormat.TEXT));
        int cut = (int) (0.9 * 1115394);
        assertThat(((TextEncoding) data.encoding()).vocabularySize()).isEqualTo(65);
        assertThat(data.trainSamples()).isEqualTo(cut - 128);
        assertThat(data.validationSamples()).isEqualTo((1115394 - cut - 1) / 128);
    }

    private PreparedData prepare(Given given) {
        return Datasets.prepare(given.spec(), 1, folder.resolve("cache"), PreparationProgress.NONE);
    }

    private static TextSpec bytes(int context, int stride) {
        return new TextSpec(TextUnit.BYTES, context, stride, List.of("*"));
    }

    private static String alphabet(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('!' + i % 90));
        }
        return text.toString();
    }

    private static String text(long[] tokens, int row) {
        return text(tokens, row, 8);
    }

    private static String text(long[] tokens, int row, int context) {
        StringBuilder text = new StringBuilder();
        Arrays.stream(tokens, row * context, (row + 1) * context)
                .forEach(t -> text.append((char) t));
        return text.toString();
    }
}

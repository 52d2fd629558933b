package dev.medley.data.table.labelled;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.token.TokenizerFile;
import dev.medley.data.token.Tokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class LabelledTextTest {
    private static final Path WORDS = Path.of("src/test/resources/tokens/words.json");

    @TempDir Path folder;

    @Test
    void shouldReadEachTextAsTokensWithItsClass() throws IOException {
        Path file =
                write(
                        "a.csv",
                        """
                        id,review,sort
                        1,"the lazy dog, the lazy dog",good
                        2,the,bad
                        3,,fair
                        4,"brown ""fox"" x",good
                        """);
        Tokens words = TokenizerFile.read(WORDS);
        PreparedData data =
                Datasets.prepareWith(words, spec(file, 8), 1, cache(), PreparationProgress.NONE);
        LabelledTextEncoding encoding = (LabelledTextEncoding) data.encoding();
        assertThat(encoding.label().classes()).containsExactly("bad", "fair", "good");
        assertThat(encoding.signature().target().kind()).isEqualTo(TargetKind.CLASSES);
        assertThat(Json.parse(Json.line(data), PreparedData.class)).isEqualTo(data);
        assertThat(data.findings().sentences().toString())
                .contains("4 texts to train", "ends of 1 are left out");
        int first = words.before().get(0);
        int last = words.after().get(0);
        long the = words.vocabulary().indexOf("the");
        try (TrainingData samples = TrainingData.open(data, 1, Clock.system());
                BatchStream stream = samples.asItLies(0, 4, 4)) {
            Batch batch = stream.next();
            long[] tokens = Given.longs(batch.inputs().get(0));
            assertThat(tokens[0]).isEqualTo(first);
            assertThat(tokens[1]).isEqualTo(the);
            assertThat(tokens[7]).as("behind what there was room for").isEqualTo(last);
            assertThat(List.of(tokens[8], tokens[9], tokens[10], tokens[11], tokens[15]))
                    .containsExactly((long) first, the, (long) last, -1L, -1L);
            assertThat(List.of(tokens[16], tokens[17], tokens[18]))
                    .containsExactly((long) first, (long) last, -1L);
            assertThat(Given.longs(batch.target())).containsExactly(2, 0, 1, 2);
        }
    }

    @Test
    void shouldReadNewRowsAsItReadThoseOfTraining() throws IOException {
        Path file = write("a.jsonl", "{\"review\": \"a b\", \"sort\": \"x\"}\n".repeat(3));
        Files.writeString(file, "{\"review\": \"b\", \"sort\": \"y\"}\n".repeat(3), APPEND);
        DataSpec spec = spec(file, 4);
        PreparedData data = Datasets.prepare(spec, 1, cache(), PreparationProgress.NONE);
        LabelledTextEncoding encoding = (LabelledTextEncoding) data.encoding();
        assertThat(encoding.tokens().vocabulary()).as("bytes").hasSize(256);
        Path bare = write("b.jsonl", "{\"review\": \"\"}\n{\"review\": \"b\"}\n");
        PreparedData inputs =
                Datasets.encodeInputs(
                        encoding, Given.files(bare).spec(), cache(), PreparationProgress.NONE);
        assertThat(inputs.validationSamples()).isEqualTo(2);
        try (TrainingData samples = TrainingData.open(inputs, 1, Clock.system())) {
            long[] tokens = Given.longs(samples.validation(0, 2).inputs().get(0));
            assertThat(tokens[0]).as("an empty text has something to see").isNotNegative();
            assertThat(tokens[1]).isEqualTo(-1);
            assertThat(tokens[4]).isEqualTo(encoding.tokens().vocabulary().indexOf("b"));
        }
        Path late = write("d.jsonl", "{\"review\": \"b\", \"sort\": \"y\"}\n");
        PreparedData judged =
                Datasets.encode(
                        encoding, Given.files(late).spec(), cache(), PreparationProgress.NONE);
        try (TrainingData samples = TrainingData.open(judged, 1, Clock.system())) {
            assertThat(Given.floats(samples.validation(0, 1).target()))
                    .as("a file without the first class")
                    .containsExactly(1);
        }
        Path odd = write("c.jsonl", "{\"review\": \"b\", \"sort\": \"z\"}\n");
        assertThatThrownBy(
                        () ->
                                Datasets.encode(
                                        encoding,
                                        Given.files(odd).spec(),
                                        cache(),
                                        PreparationProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("\"z\" is not one of the training classes [x, y]");
    }

    @Test
    void shouldRefuseWhatHasNoTextsOrClasses() throws IOException {
        Path file = write("a.csv", "words,sort\na,x\nb,y\n");
        assertRefused(spec(file, 8), "has no column 'review'");
        Path unlabelled = write("b.csv", "review,sort\na,x\nb,\n");
        assertRefused(spec(unlabelled, 8), "row 2 (line 3), column 'sort': the label is missing");
        Path text = write("c.txt", "some text");
        assertRefused(spec(text, 8), "has no column 'review'");
    }

    private void assertRefused(DataSpec spec, String why) {
        assertThatThrownBy(() -> Datasets.prepare(spec, 1, cache(), PreparationProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(why);
    }

    private static DataSpec spec(Path file, int context) {
        return Given.files(file)
                .label("sort")
                .text(new TextSpec(TextUnit.BYTES, context, context, List.of("*"), 0, "review"))
                .split(new SplitSpec(SplitKind.RANDOM, 0, null))
                .spec();
    }

    private Path cache() {
        return folder.resolve("cache");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}

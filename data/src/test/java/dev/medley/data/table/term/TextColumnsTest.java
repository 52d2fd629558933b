package dev.medley.data.table.term;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.table.TermSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.SparseColumn.Hashed;
import dev.medley.data.encoding.SparseColumn.Words;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Words of free texts are weighted and hashed as scikit-learn does it. */
@Tag("unit")
class TextColumnsTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);
    private static final TermSpec TEXT = new TermSpec(1, 0, List.of("t"), List.of(), 1000, 5, true);
    private static final TermSpec HASHED =
            new TermSpec(1, 0, List.of("t"), List.of("t"), 1000, 5, true);

    /** What scikit-learn makes of texts; rows are lists of index and value. */
    record Theirs(
            String source,
            List<String> texts,
            List<String> later,
            List<String> vocabulary,
            List<Double> idf,
            List<List<List<Double>>> tfidf,
            List<List<List<Double>>> tfidfLater,
            List<List<List<Double>>> hashed) {}

    private final Path folder;
    private final GivenEncoding data;
    private final Theirs theirs;

    TextColumnsTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        data = new GivenEncoding(folder.resolve("cache"));
        try (InputStream in = TextColumnsTest.class.getResourceAsStream("scikit-learn.json")) {
            theirs = Json.parse(in.readAllBytes(), Theirs.class);
        }
    }

    @Test
    void wordsShouldWeighWhatScikitLearnSays() throws IOException {
        PreparedData found = prepared(theirs.texts(), TEXT);
        TableEncoding encoding = (TableEncoding) GivenEncoding.again(found);
        Words words = (Words) encoding.columns().get(0);
        assertThat(words.vocabulary()).isEqualTo(theirs.vocabulary());
        for (int i = 0; i < words.width(); i++) {
            assertThat(words.idf().get(i)).isCloseTo(theirs.idf().get(i), within(1e-12));
        }
        assertRows(terms(found, true), theirs.tfidf());
        assertThat(found.findings().sentences())
                .contains("text 't': 20 of 20 words by TF-IDF, at most 6 in a row");
        PreparedData later = data.encodeInputs(encoding, Given.files(table(theirs.later())));
        assertRows(terms(later, false), theirs.tfidfLater());
    }

    @Test
    void hashesShouldBeThoseOfScikitLearn() throws IOException {
        PreparedData found = prepared(theirs.texts(), HASHED);
        assertThat(((TableEncoding) found.encoding()).columns())
                .containsExactly(new Hashed("t", 5, true, 6));
        assertRows(terms(found, true), theirs.hashed());
    }

    /** Models of the other families get the same numbers as a row of all features. */
    @Test
    void spreadRowsShouldHoldTheSameNumbers() throws IOException {
        for (TermSpec spec : List.of(TEXT, HASHED)) {
            PreparedData sparse = prepared(theirs.texts(), spec);
            TermSpec others = new TermSpec(1, 0, spec.text(), spec.hashed(), 1000, 5, false);
            PreparedData spread = prepared(theirs.texts(), others);
            int width = ((TableEncoding) spread.encoding()).featureCount();
            assertThat(spread.signature().inputs())
                    .extracting(Signature.Input::shape)
                    .containsExactly(List.of(width));
            List<Map<Integer, Float>> terms = terms(sparse, true);
            try (TrainingData training = TrainingData.open(spread, 1, Clock.system());
                    var batches = training.asItLies(0, spread.trainSamples(), 99)) {
                float[] rows = Given.floats(batches.next().inputs().get(0));
                for (int row = 0; row < terms.size(); row++) {
                    Map<Integer, Float> here = new TreeMap<>();
                    for (int i = 0; i < width; i++) {
                        if (rows[row * width + i] != 0) {
                            here.put(i, rows[row * width + i]);
                        }
                    }
                    assertThat(here).isEqualTo(terms.get(row));
                }
            }
        }
    }

    /** Rows of a later file may have more terms than any row of training: none is lost. */
    @Test
    void longerTextsThanThoseOfTrainingShouldKeepAllTheirWords() throws IOException {
        PreparedData found = prepared(List.of("aa bb", "cc dd", "ee", "ff aa"), TEXT);
        PreparedData later =
                data.encodeInputs(
                        found.encoding(), Given.files(table(List.of("aa bb cc dd ee ff", "aa"))));
        assertThat(terms(later, false).get(0)).hasSize(6);
        Path held = table(List.of("aa bb cc", "dd ee ff"));
        Given given =
                Given.files(table(List.of("aa bb", "cc dd", "ee", "ff aa"))).label("y").terms(TEXT);
        assertThat(terms(data.prepare(given.validation(held)), false))
                .allMatch(terms -> terms.size() == 3);
    }

    @Test
    void theVocabularyShouldBeTheWordsOfMostRows() throws IOException {
        List<String> texts = List.of("bb aa", "bb dd", "cc aa", "dd bb", "ee");
        assertThat(vocabulary(texts, new TermSpec(2, 0, List.of("t"), List.of(), 99, 5, true)))
                .containsExactly("aa", "bb", "dd");
        assertThat(vocabulary(texts, new TermSpec(1, 0, List.of("t"), List.of(), 2, 5, true)))
                .containsExactly("aa", "bb");
    }

    private List<String> vocabulary(List<String> texts, TermSpec spec) throws IOException {
        return ((Words) ((TableEncoding) prepared(texts, spec).encoding()).columns().get(0))
                .vocabulary();
    }

    /** Counts of words that are forgotten and come again are too low by no more than is said. */
    @Test
    void manyWordsShouldBeCountedWithinTheirBound() {
        WordCounts counts = new WordCounts(100);
        for (int row = 0; row < 5000; row++) {
            counts.add(List.of("often", row % 3 == 0 ? "third" : "other", "once" + row));
        }
        assertThat(counts.words()).isLessThanOrEqualTo(100);
        assertThat(counts.tooLow()).isPositive();
        assertThat(counts.rows("often")).isBetween(5000 - counts.tooLow(), 5000L);
        assertThat(counts.mostFrequent(1, 3)).containsExactly("often", "other", "third");
    }

    @Test
    void moreFeaturesThanARowOfNumbersHasShouldBeRefused() {
        TermSpec wide = new TermSpec(1, 0, List.of(), List.of("t"), 1000, 20, false);
        assertThatThrownBy(() -> prepared(List.of("a", "b", "c", "d"), wide))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("[t]", "1,048,576 features", "model: linear");
    }

    private static void assertRows(
            List<Map<Integer, Float>> rows, List<List<List<Double>>> expected) {
        assertThat(rows).hasSize(expected.size());
        for (int row = 0; row < rows.size(); row++) {
            assertThat(rows.get(row)).as("row %d", row).hasSize(expected.get(row).size());
            for (List<Double> term : expected.get(row)) {
                assertThat(rows.get(row).get(term.get(0).intValue()))
                        .as("row %d", row)
                        .isCloseTo(term.get(1).floatValue(), within(1e-6f));
            }
        }
    }

    private PreparedData prepared(List<String> texts, TermSpec spec) throws IOException {
        return data.prepare(Given.files(table(texts)).label("y").split(ALL).terms(spec));
    }

    private static List<Map<Integer, Float>> terms(PreparedData data, boolean isTrain) {
        try (TrainingData training = TrainingData.open(data, 1, Clock.system());
                var batches = training.asItLies(0, data.trainSamples(), 99)) {
            var batch = isTrain ? batches.next() : training.validation(0, data.validationSamples());
            float[] pairs = Given.floats(batch.inputs().get(0));
            int slots = pairs.length / 2 / batch.samples();
            List<Map<Integer, Float>> rows = new ArrayList<>();
            for (int row = 0; row < batch.samples(); row++) {
                Map<Integer, Float> terms = new TreeMap<>();
                for (int i = row * slots; i < (row + 1) * slots; i++) {
                    if (pairs[2 * i + 1] != 0) {
                        terms.put((int) pairs[2 * i], pairs[2 * i + 1]);
                    }
                }
                rows.add(terms);
            }
            return rows;
        }
    }

    private Path table(List<String> texts) throws IOException {
        StringBuilder csv = new StringBuilder("t,y\n");
        for (int i = 0; i < texts.size(); i++) {
            csv.append('"')
                    .append(texts.get(i))
                    .append("\",")
                    .append(i % 2 == 0 ? "no\n" : "yes\n");
        }
        Path file = folder.resolve(Integer.toHexString(texts.hashCode()) + ".csv");
        return Files.writeString(file, csv);
    }
}

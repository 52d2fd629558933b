package dev.medley.data.table.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.PredictionWriter;
import dev.medley.data.dataset.PredictionWriter.ColumnType;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Customers a to t with 1 to 20 visits each; every other one went away. */
@Tag("unit")
class SequenceDataTest {
    private static final int CUSTOMERS = 20;
    private static final SeriesSpec VISITS =
            SeriesSpec.of("day", 3, 1).seeing(List.of("customer"), List.of());

    @TempDir Path folder;

    /** Visit i of customer c is worth 100 c + i; rows lie backwards. */
    private Path visits(String... more) throws IOException {
        List<String> lines = new ArrayList<>(List.of("customer,day,worth,left"));
        for (int c = CUSTOMERS; c >= 1; c--) {
            for (int day = c; day >= 1; day--) {
                String left = c % 2 == 0 ? "yes" : "no";
                lines.add("%c,%d,%d,%s".formatted('a' + c - 1, 7 * day, 100 * c + day, left));
            }
        }
        lines.addAll(List.of(more));
        return Files.write(folder.resolve("visits.csv"), lines);
    }

    private PreparedData prepare(Path file) {
        return Datasets.prepare(
                Given.files(file)
                        .series(VISITS)
                        .label("left")
                        .split(new SplitSpec(SplitKind.STRATIFIED, 0.2, null))
                        .spec(),
                1,
                folder.resolve("cache"),
                PreparationProgress.NONE);
    }

    @Test
    void eachSequenceShouldBeOneSampleOfItsLastRows() throws IOException {
        PreparedData data = prepare(visits());
        SequenceEncoding encoding = (SequenceEncoding) data.encoding();
        assertThat(encoding.columns()).containsExactly("worth");
        assertThat(data.signature().target().kind()).isEqualTo(TargetKind.BINARY);
        assertThat(data.signature().inputs().get(0).shape()).containsExactly(3, 2);
        assertThat(data.trainSamples()).isEqualTo(16);
        assertThat(data.validationSamples()).isEqualTo(4);
        assertThat(data.findings().classCounts()).containsExactly(8L, 8L);
        PreparedData all = encode(data, visits());
        try (TrainingData open = TrainingData.open(all, 1, Clock.system())) {
            Batch batch = open.validation(0, CUSTOMERS);
            float[] rows = Given.floats(batch.inputs().get(0));
            float[] labels = Given.floats(batch.target());
            for (int c = 1; c <= CUSTOMERS; c++) {
                assertThat(labels[c - 1]).isEqualTo(c % 2 == 0 ? 1 : 0);
                for (int i = 0; i < 3; i++) {
                    int visit = c - 2 + i;
                    int at = ((c - 1) * 3 + i) * 2;
                    assertThat(rows[at + 1]).isEqualTo(visit >= 1 ? 1 : 0);
                    double worth = encoding.scales().get(0).of(100 * c + visit);
                    assertThat((double) rows[at]).isCloseTo(visit >= 1 ? worth : 0, within(1e-6));
                }
            }
        }
    }

    @Test
    void aFileThatLacksAClassShouldKeepTheOthers() throws IOException {
        PreparedData trained = prepare(visits());
        Path file =
                Files.writeString(
                        folder.resolve("went.csv"),
                        "customer,day,worth,left\nann,1,3,yes\nzoe,1,5,yes\n");
        try (TrainingData open = TrainingData.open(encode(trained, file), 1, Clock.system())) {
            assertThat(Given.floats(open.validation(0, 2).target())).containsExactly(1, 1);
        }
    }

    @Test
    void categoriesShouldBeANumberForEachValue() throws IOException {
        List<String> lines = new ArrayList<>(List.of("customer,day,worth,colour,shop,left"));
        List<String> colours = List.of("red", "", "blue", "red");
        for (int c = 0; c < 8; c++) {
            for (int day = 0; day < 4; day++) {
                lines.add(
                        "%c,%d,%d,%s,s%d,%s"
                                .formatted(
                                        'a' + c,
                                        day,
                                        c,
                                        colours.get(day),
                                        c % 2,
                                        c % 2 == 0 ? "yes" : "no"));
            }
        }
        Path file = Files.write(folder.resolve("coloured.csv"), lines);
        PreparedData data = prepare(file);
        SequenceEncoding encoding = (SequenceEncoding) data.encoding();
        assertThat(encoding.columns()).containsExactly("worth");
        assertThat(encoding.features())
                .containsExactly(
                        "worth",
                        "colour=blue",
                        "colour=red",
                        "colour missing",
                        "shop=s0",
                        "shop=s1");
        Path more =
                Files.writeString(
                        folder.resolve("more.csv"),
                        "customer,day,worth,colour,shop,left\n"
                                + "ann,1,1,,s1,no\nann,2,1,green,s1,no\nann,3,1,blue,s0,no\n");
        try (TrainingData open = TrainingData.open(encode(data, more), 1, Clock.system())) {
            float[] rows = Given.floats(open.validation(0, 1).inputs().get(0));
            assertThat(Arrays.copyOfRange(rows, 1, 7)).containsExactly(0, 0, 1, 0, 1, 1);
            assertThat(Arrays.copyOfRange(rows, 8, 14))
                    .as("a value that training did not have")
                    .containsExactly(0, 0, 0, 0, 1, 1);
            assertThat(Arrays.copyOfRange(rows, 15, 21)).containsExactly(1, 0, 0, 1, 0, 1);
        }
        Path odd =
                Files.writeString(
                        folder.resolve("odd.csv"),
                        "customer,day,worth,colour,shop,left\nann,1,much,red,s1,no\n");
        assertThatThrownBy(() -> encode(data, odd))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'worth': the text \"much\" is not a number");
    }

    private PreparedData toPredict(PreparedData trained, Path file) throws IOException {
        return Datasets.encodeInputs(
                trained.encoding(),
                Given.files(file).series(VISITS).spec(),
                folder.resolve("cache"),
                PreparationProgress.NONE);
    }

    /** What training read is read where labels are asked for, also where no row has a value. */
    @Test
    void flagsAndMissingValuesShouldBePredicted() throws IOException {
        List<String> lines = new ArrayList<>(List.of("customer,day,worth,colour,flag,left"));
        for (int i = 0; i < 32; i++) {
            char c = (char) ('a' + i / 4);
            String end = i % 2 == 0 ? ",red,true," : ",,false,";
            lines.add(c + "," + i % 4 + "," + i + end + (i / 4 % 2 == 0 ? "yes" : "no"));
        }
        PreparedData trained = prepare(Files.write(folder.resolve("flags.csv"), lines));
        for (String rows :
                List.of("ann,1,2,red,false\n", "ann,1,,,\n", "ann,1,2,red,1\n", "ann,1,,red,\n")) {
            Path file =
                    Files.writeString(
                            folder.resolve("new.csv"), "customer,day,worth,colour,flag\n" + rows);
            PreparedData inputs = toPredict(trained, file);
            assertThat(inputs.validationSamples()).as(rows).isEqualTo(1);
        }
    }

    @Test
    void newSequencesShouldNeedNoLabel() throws IOException {
        PreparedData trained = prepare(visits());
        Path file =
                Files.writeString(
                        folder.resolve("new.csv"),
                        "customer,day,worth\nzoe,2,7\nann,1,\nzoe,1,5\n");
        PreparedData inputs = toPredict(trained, file);
        assertThat(inputs.validationSamples()).isEqualTo(2);
        Path out = folder.resolve("out.csv");
        try (PredictionWriter writer =
                PredictionWriter.open(inputs, Map.of("prediction", ColumnType.TEXT), out)) {
            writer.add("no");
            writer.add("yes");
            writer.finish();
        }
        assertThat(Files.readAllLines(out))
                .containsExactly("customer,prediction", "ann,no", "zoe,yes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,9,1,yes | row 210 (line 211) and row 211 (line 212), column 'left': the sequence"
                        + " 'a' has rows with 'no' and with 'yes': a sequence has one label",
                "a,9,1, | row 211 (line 212), column 'left': the sequence 'a' has rows without a"
                    + " label that is known from training: give every row of a sequence its label,"
                    + " or leave the sequence out",
                "a,,1,no | row 211 (line 212), column 'day' (data.series.time): the time is"
                    + " missing; correct the file, or set data.table.bad_rows: skip to leave such"
                    + " rows out",
                ",9,1,no | row 211 (line 212), column 'customer' (data.series.by): it says not of"
                    + " which series the row is; correct the file, or set data.table.bad_rows: skip"
                    + " to leave such rows out",
                "b,14,1,yes | row 208 (line 209) and row 211 (line 212): the sequence 'b' has two"
                        + " rows for 14: keep one, or name what tells them apart in data.series.by",
            })
    void shouldSayWhatIsWrongWithARow(String row, String message) throws IOException {
        Path file = visits(row);
        assertThatThrownBy(() -> prepare(file))
                .isInstanceOf(ConfigException.class)
                .hasMessage(file + ", " + message);
    }

    @Test
    void rowsThatAreLeftOutShouldBeSaid() throws IOException {
        Path file = visits("a,,1,no", ",9,1,no");
        PreparedData data =
                Datasets.prepare(
                        Given.files(file).series(VISITS).label("left").badRows(BadRows.SKIP).spec(),
                        1,
                        folder.resolve("cache"),
                        PreparationProgress.NONE);
        assertThat(data.findings().badRows()).isEqualTo(2);
        assertThat(data.findings().sentences())
                .last()
                .asString()
                .startsWith(
                        "2 rows left out, since data.table.bad_rows: skip says so; the first: ");
    }

    @Test
    void aColumnWithoutANumberShouldBeNamed() throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("none.csv"), "customer,day,worth,left\na,1,,no\nb,1,,yes\n");
        assertThatThrownBy(
                        () ->
                                Datasets.prepare(
                                        Given.files(file)
                                                .series(
                                                        VISITS.seeing(
                                                                VISITS.by(), List.of("worth")))
                                                .label("left")
                                                .spec(),
                                        1,
                                        folder.resolve("cache"),
                                        PreparationProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        file
                                + ", column 'worth': has no value in any row; leave it out of"
                                + " data.series");
    }

    @Test
    void oneClassShouldBeNothingToLearn() throws IOException {
        List<String> lines = new ArrayList<>(List.of("customer,day,worth,left", "a,1,1,no"));
        lines.addAll(List.of("b,1,2,no", "c,1,3,no", "d,1,3,yes"));
        Path file = Files.write(folder.resolve("few.csv"), lines);
        SplitSpec half = new SplitSpec(SplitKind.RANDOM, 0.5, null);
        assertThatThrownBy(
                        () -> {
                            for (long seed = 1; seed <= 8; seed++) {
                                Datasets.prepare(
                                        Given.files(file)
                                                .series(VISITS)
                                                .label("left")
                                                .split(half)
                                                .spec(),
                                        seed,
                                        folder.resolve("cache"),
                                        PreparationProgress.NONE);
                            }
                        })
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(
                        "label 'left' has one class only in the training sequences (of [no, yes])");
    }

    private PreparedData encode(PreparedData trained, Path file) {
        return Datasets.encode(
                trained.encoding(),
                Given.files(file).series(VISITS).label("left").spec(),
                folder.resolve("cache"),
                PreparationProgress.NONE);
    }
}

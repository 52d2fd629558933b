package dev.medley.store.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Clock;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.ClassSpec;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.memory.Batch;
import dev.medley.store.encoding.ColumnEncoding.Numeric;
import dev.medley.store.encoding.CustomEncoding;
import dev.medley.store.encoding.Encoding;
import dev.medley.store.encoding.ImageEncoding;
import dev.medley.store.encoding.TableEncoding;
import dev.medley.store.encoding.TextEncoding;
import dev.medley.store.shard.Progress;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Data that a trained model learns more from is read as that model reads it. */
@Tag("unit")
class GivenEncodingTest {
    private static final int ROWS = 200;

    @TempDir Path folder;

    @Test
    void aTableShouldKeepTheMeansAndCategoriesOfTheModel() throws IOException {
        Encoding model = trained();
        PreparedData more = prepareAs(model, Given.files(table("more.csv", 1000, "dab")));
        assertThat(more.encoding()).isEqualTo(model);
        assertThat(more.findings().classCounts()).hasSize(2).allMatch(count -> count > 0);
        try (TrainingData training = TrainingData.open(more, 1, Clock.system())) {
            float[] rows = features(training.validation(0, 3), 0);
            TableEncoding table = (TableEncoding) model;
            Numeric id = (Numeric) table.columns().get(0);
            assertThat(table.featureNames()).containsExactly("id", "c=a", "c=b", "c=c");
            assertThat(rows[0] * id.deviation() + id.mean()).isBetween(1000.0, 1000.0 + ROWS);
            // Each row has one known category or, as a prediction would have it, none.
            for (int row = 0; row < 3; row++) {
                int number = (int) Math.round(rows[4 * row] * id.deviation() + id.mean()) - 1000;
                char category = "dab".charAt(number % 3);
                assertThat(rows[4 * row + 1]).isEqualTo(category == 'a' ? 1 : 0);
                assertThat(rows[4 * row + 2]).isEqualTo(category == 'b' ? 1 : 0);
                assertThat(rows[4 * row + 3]).isZero();
            }
        }
    }

    static Stream<SplitSpec> splits() {
        return Stream.of(
                new SplitSpec(SplitKind.RANDOM, 0.2, null),
                new SplitSpec(SplitKind.TAIL, 0.2, null),
                new SplitSpec(SplitKind.STRATIFIED, 0.2, null),
                new SplitSpec(SplitKind.STRATIFIED, 0.2, "c"),
                new SplitSpec(SplitKind.STRATIFIED, 0.2, "part"));
    }

    @ParameterizedTest
    @MethodSource("splits")
    void theSplitShouldBeThatOfAnEncodingOfItsOwn(SplitSpec split) throws IOException {
        Encoding model = trained();
        Path file = table("more.csv", 50, "cab");
        Given given = Given.files(file).label("y").table(dropping("part")).split(split);
        assertThat(ids(prepareAs(model, given))).isEqualTo(ids(prepare(given)));
    }

    @Test
    void aGivenSplitShouldStayTheOneThatIsGiven() throws IOException {
        Encoding model = trained();
        Given given =
                Given.files(table("more.csv", 50, "cab")).validation(table("held.csv", 900, "bca"));
        PreparedData more = prepareAs(model, given);
        assertThat(more.trainSamples()).isEqualTo(ROWS);
        assertThat(ids(more)).hasSize(ROWS).allMatch(id -> id >= 900);
    }

    @Test
    void oneCacheShouldKeepBothWaysApart() throws IOException {
        Encoding model = trained();
        Given given = Given.files(table("more.csv", 1000, "dab")).label("y");
        PreparedData own = prepare(given);
        PreparedData as = prepareAs(model, given);
        PreparedData encoded =
                Datasets.encode(model, given.spec(), folder.resolve("cache"), Progress.NONE);
        assertThat(Stream.of(own, as, encoded).map(PreparedData::folder)).doesNotHaveDuplicates();
        assertThat(own.encoding()).isNotEqualTo(as.encoding());
        assertThat(prepareAs(model, given)).isEqualTo(as);
    }

    @Test
    void aTableThatTheModelCannotReadShouldBeRefused() throws IOException {
        Encoding model = trained();
        Path file = folder.resolve("bad.csv");
        Files.writeString(file, "id,c,part,y\n1,a,p,no\n2,b,p,perhaps\n3,b,p,yes\n");
        assertRefused(model, Given.files(file), "bad.csv, row 2", "\"perhaps\"", "[no, yes]");
        assertThat(prepareAs(model, Given.files(file).badRows(BadRows.SKIP)).findings().badRows())
                .isEqualTo(1);
        Files.writeString(file, "id,c,part,y\n1,a,p,no\n2,b,p,\n3,b,p,yes\n");
        assertRefused(model, Given.files(file), "row 2", "the label is missing");
        Files.writeString(file, "id,part,y\n1,p,no\n2,p,yes\n");
        assertRefused(model, Given.files(file), "bad.csv", "has no column 'c'", "id, part, y");
        Files.writeString(file, "id,c,part\n1,a,p\n2,b,p\n");
        assertRefused(model, Given.files(file), "data.label=y", "no such column");
    }

    @Test
    void optionsThatContradictATableModelShouldBeRefused() throws IOException {
        Encoding model = trained();
        Given given = Given.files(table("more.csv", 0, "abc"));
        assertRefused(model, given.label("c"), "data.label=c", "data.label=y");
        given.label("y");
        assertRefused(model, given.table(dropping("c")), "data.table.drop=c");
        TableSpec t = TableSpec.defaults();
        assertRefused(
                model,
                given.table(table(t.missing(), List.of("id"), t.oneHotLimit())),
                "data.table.categorical=id",
                "as a number");
        assertRefused(
                model,
                given.table(table(List.of("-"), List.of(), t.oneHotLimit())),
                "data.table.missing=[-]",
                "NA");
        assertRefused(
                model,
                given.table(table(t.missing(), List.of(), 2)),
                "data.table.one_hot_limit=2",
                "the 3 values of 'c' one-hot");
    }

    @Test
    void aTextShouldKeepTheVocabularyOfTheModel() throws IOException {
        TextSpec characters = new TextSpec(TextUnit.CHARACTERS, 4, 1, List.of("*"));
        SplitSpec tail = new SplitSpec(SplitKind.TAIL, 0.5, null);
        Path first = Files.writeString(folder.resolve("a.txt"), "bcd".repeat(20));
        Encoding model = again(prepare(Given.files(first).text(characters).split(tail)));
        Path second = Files.writeString(folder.resolve("b.txt"), "dxcb".repeat(20));
        Given given = Given.files(second).text(characters).split(tail);
        PreparedData more = prepareAs(model, given);
        assertThat(more.encoding())
                .isEqualTo(new TextEncoding(TextUnit.CHARACTERS, 4, List.of("b", "c", "d")));
        assertThat(more.trainSamples()).isEqualTo(prepare(given).trainSamples());
        assertThat(more.findings().sentences())
                .anyMatch(s -> s.equals(unknown(20, "b")))
                .noneMatch(s -> s.contains("share one token"));
        try (TrainingData training = TrainingData.open(more, 1, Clock.system())) {
            assertThat(Given.longs(training.validation(0, 1).inputs().get(0)))
                    .containsExactly(2, 0, 1, 0);
        }
        assertRefused(
                model,
                given.text(new TextSpec(TextUnit.CHARACTERS, 8, 1, List.of("*"))),
                "data.text.context=8",
                "data.text.context=4");
        assertRefused(
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
    void imagesShouldKeepSizeBrightnessAndClassesOfTheModel() throws IOException {
        SplitSpec half = new SplitSpec(SplitKind.STRATIFIED, 0.5, null);
        ImageSpec normalised = new ImageSpec(0, 0, false, 0, true);
        for (String name : List.of("a", "b", "c")) {
            images("first/" + name, 4, 40);
            images("more/" + name, 8, 200);
        }
        Encoding model =
                again(prepare(Given.files(folder.resolve("first")).image(normalised).split(half)));
        remove(folder.resolve("more/a"));
        Given given = Given.files(folder.resolve("more")).image(normalised).split(half);
        PreparedData more = prepareAs(model, given);
        assertThat(more.encoding()).isEqualTo(model);
        assertThat(more.findings().classCounts()).containsExactly(0L, 4L, 4L);
        assertThat(brightness(more))
                .isEqualTo(brightness(prepare(given)))
                .allMatch(value -> value >= 200);
        try (TrainingData training = TrainingData.open(more, 1, Clock.system())) {
            assertThat(Given.longs(training.validation(0, 8).target()))
                    .containsExactly(1, 1, 1, 1, 2, 2, 2, 2);
        }
        assertRefused(
                model,
                given.image(new ImageSpec(8, 0, false, 0, true)),
                "data.image.height=8",
                "data.image.height=4");
        assertRefused(
                model, given.image(ImageSpec.defaults()), "normalise=false", "normalise=true");
        images("more/d", 4, 7);
        assertRefused(model, given.image(normalised), "folder 'd'", "[a, b, c]");
    }

    @Test
    void idxImagesShouldKeepTheClassesOfTheModel() throws IOException {
        ImageEncoding model =
                new ImageEncoding(1, 2, 2, List.of("0", "1", "2", "3"), List.of(0.0), List.of(1.0));
        Given given = Given.files(idx(30, 3)).split(new SplitSpec(SplitKind.STRATIFIED, 0.2, null));
        PreparedData more = prepareAs(model, given);
        assertThat(more.encoding()).isEqualTo(model);
        assertThat(more.findings().classCounts()).containsExactly(8L, 8L, 8L, 0L);
        float[] own = held(prepare(given));
        assertThat(held(more)).isEqualTo(own);
        assertRefused(model, Given.files(idx(30, 5)), "class 4", "classes 0 to 3");
        assertRefused(
                new ImageEncoding(1, 2, 2, List.of("cat", "dog"), List.of(0.0), List.of(1.0)),
                given,
                "numbers from 0",
                "[cat, dog]");
    }

    @Test
    void aSourceOfOnesOwnShouldGiveWhatTheModelWasTrainedOn() {
        ClassSpec type = new ClassSpec(OwnSourceTest.Counting.class.getName(), Map.of());
        PreparedData first = prepare(Given.custom(type));
        CustomEncoding model = (CustomEncoding) again(first);
        assertThat(prepareAs(model, Given.custom(type)).trainSamples())
                .isEqualTo(first.trainSamples());
        TextEncoding text = new TextEncoding(TextUnit.BYTES, 4, List.of());
        assertRefused(new CustomEncoding(type, text.signature()), Given.custom(type), "trained on");
        assertRefused(text, Given.custom(type), "CUSTOM", "another kind of data");
    }

    @Test
    void anotherKindOfDataShouldBeRefused() throws IOException {
        Encoding model = trained();
        Path text = Files.writeString(folder.resolve("a.txt"), "abc".repeat(100));
        assertThatThrownBy(
                        () ->
                                Datasets.prepareAs(
                                        model,
                                        Given.files(text).spec(),
                                        1,
                                        folder.resolve("cache"),
                                        Progress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("holds TEXT data");
    }

    /** Of a model whose numbers lie from 0 and whose categories are a, b and c. */
    private Encoding trained() throws IOException {
        return again(
                prepare(
                        Given.files(table("first.csv", 0, "abc"))
                                .label("y")
                                .table(dropping("part"))));
    }

    /** As a saved model hands it back. */
    private static Encoding again(PreparedData data) {
        return Json.parse(Json.line(data.encoding()), Encoding.class);
    }

    private Path table(String name, int from, String categories) throws IOException {
        StringBuilder text = new StringBuilder("id,c,part,y\n");
        for (int i = 0; i < ROWS; i++) {
            text.append(
                    "%d,%s,%s,%s\n"
                            .formatted(
                                    from + i,
                                    categories.charAt(i % 3),
                                    "p" + i / 40,
                                    i % 7 < 3 ? "yes" : "no"));
        }
        return Files.writeString(folder.resolve(name), text);
    }

    private static TableSpec dropping(String column) {
        TableSpec t = TableSpec.defaults();
        return new TableSpec(
                null,
                null,
                ".",
                t.missing(),
                List.of(column),
                List.of(),
                t.oneHotLimit(),
                t.badRows());
    }

    private static TableSpec table(List<String> missing, List<String> categorical, int oneHot) {
        return new TableSpec(
                null, null, ".", missing, List.of(), categorical, oneHot, BadRows.FAIL);
    }

    /** The numbers of the rows that are held out, in order. */
    private static List<Long> ids(PreparedData data) {
        TableEncoding table = (TableEncoding) data.encoding();
        Numeric id = (Numeric) table.columns().get(0);
        List<Long> ids = new ArrayList<>();
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            int held = (int) data.validationSamples();
            float[] features = features(training.validation(0, held), 0);
            for (int row = 0; row < held; row++) {
                float value = features[row * table.featureCount()];
                ids.add(Math.round(value * id.deviation() + id.mean()));
            }
        }
        return ids;
    }

    /** The first pixel of each image that is held out, as its file has it. */
    private static List<Long> brightness(PreparedData data) {
        ImageEncoding image = (ImageEncoding) data.encoding();
        float[] pixels = held(data);
        List<Long> first = new ArrayList<>();
        for (int i = 0; i < pixels.length; i += image.pixels()) {
            double value = pixels[i] * image.deviation().get(0) + image.mean().get(0);
            first.add(Math.round(255 * value));
        }
        return first;
    }

    private static float[] features(Batch batch, int input) {
        return Given.floats(batch.inputs().get(input));
    }

    private static float[] held(PreparedData data) {
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            return features(training.validation(0, (int) data.validationSamples()), 0);
        }
    }

    private void images(String name, int count, int from) throws IOException {
        Path into = Files.createDirectories(folder.resolve(name));
        for (int i = 0; i < count; i++) {
            BufferedImage image = new BufferedImage(4, 4, BufferedImage.TYPE_BYTE_GRAY);
            for (int p = 0; p < 16; p++) {
                image.getRaster().setSample(p % 4, p / 4, 0, from + i);
            }
            ImageIO.write(image, "png", into.resolve(i + ".png").toFile());
        }
    }

    private static void remove(Path images) throws IOException {
        try (Stream<Path> files = Files.list(images)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(images);
    }

    /** Image i of 2 x 2 pixels i has class i % classes. */
    private Path idx(int count, int classes) throws IOException {
        Path into = Files.createDirectories(folder.resolve("idx" + classes));
        ByteArrayOutputStream images = new ByteArrayOutputStream();
        ByteArrayOutputStream labels = new ByteArrayOutputStream();
        DataOutputStream image = new DataOutputStream(images);
        DataOutputStream label = new DataOutputStream(labels);
        for (int header : new int[] {0x803, count, 2, 2}) {
            image.writeInt(header);
        }
        label.writeInt(0x801);
        label.writeInt(count);
        for (int i = 0; i < count; i++) {
            byte[] pixels = new byte[4];
            Arrays.fill(pixels, (byte) i);
            image.write(pixels);
            label.writeByte(i % classes);
        }
        Files.write(into.resolve("train-images-idx3-ubyte"), images.toByteArray());
        Files.write(into.resolve("train-labels-idx1-ubyte"), labels.toByteArray());
        return into;
    }

    private void assertRefused(Encoding model, Given given, String... parts) {
        assertThatThrownBy(() -> prepareAs(model, given))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(parts);
    }

    private PreparedData prepare(Given given) {
        return Datasets.prepare(given.spec(), 1, folder.resolve("cache"), Progress.NONE);
    }

    private PreparedData prepareAs(Encoding model, Given given) {
        return Datasets.prepareAs(model, given.spec(), 1, folder.resolve("cache"), Progress.NONE);
    }
}

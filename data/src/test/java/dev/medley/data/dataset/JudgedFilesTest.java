package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file that is learnt from in one job and judged by in another makes two sets in one cache. */
@Tag("unit")
class JudgedFilesTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    private final Path folder;
    private final GivenEncoding data;

    JudgedFilesTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @ParameterizedTest
    @CsvSource({"tables,false", "tables,true", "images,false", "images,true"})
    void whatIsJudgedByShouldNotBeLearntFrom(String kind, boolean isJudgedFirst)
            throws IOException {
        boolean isTable = kind.equals("tables");
        Path one = isTable ? table("one") : images("one");
        Path two = isTable ? table("two") : images("two");
        for (boolean isJudged : List.of(isJudgedFirst, !isJudgedFirst, isJudgedFirst)) {
            Given given = isJudged ? Given.files(one).validation(two) : Given.files(one, two);
            given.split(ALL);
            PreparedData read = data.prepare(isTable ? given.label("y") : given);
            int judged = isJudged ? 10 : 0;
            assertThat(read.validationSamples()).isEqualTo(judged);
            assertThat(read.trainSamples()).isEqualTo(20 - judged);
        }
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void modelsThatGoOnLearningShouldNotMixThem(boolean isJudgedFirst) throws IOException {
        Path one = table("one");
        Path two = table("two");
        var model = data.trained(Given.files(one).label("y").split(ALL));
        for (boolean isJudged : List.of(isJudgedFirst, !isJudgedFirst)) {
            Given given = isJudged ? Given.files(one).validation(two) : Given.files(one, two);
            PreparedData read = data.prepareAs(model, given.label("y").split(ALL));
            assertThat(read.trainSamples()).isEqualTo(isJudged ? 10 : 20);
        }
    }

    /** A folder with one file. */
    private Path table(String name) throws IOException {
        StringBuilder text = new StringBuilder("x,y\n");
        for (int i = 0; i < 10; i++) {
            text.append(name.length() + i % 7).append(i % 2 == 0 ? ",a\n" : ",b\n");
        }
        Path here = Files.createDirectories(folder.resolve(name));
        Files.writeString(here.resolve(name + ".csv"), text);
        return here;
    }

    private Path images(String name) throws IOException {
        for (int i = 0; i < 10; i++) {
            Path file = folder.resolve(name + (i % 2 == 0 ? "/cat/" : "/dog/") + i + ".png");
            Files.createDirectories(file.getParent());
            BufferedImage image = new BufferedImage(4, 4, BufferedImage.TYPE_BYTE_GRAY);
            image.getRaster().setSample(0, 0, 0, 10 * i);
            ImageIO.write(image, "png", file.toFile());
        }
        return folder.resolve(name);
    }
}

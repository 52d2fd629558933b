package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each file counts once, and none is both learnt and judged by. */
@Tag("unit")
class FileListsTest {
    private static final String TABLE = "x,y\n1,a\n2,b\n3,a\n4,b\n";

    @TempDir Path folder;

    @Test
    void aFolderThatHoldsTheValidationShouldGiveTheRest() throws IOException {
        write("d/a.csv");
        Path judged = write("d/val.csv");
        Inputs found = Inputs.find(given(folder.resolve("d")).validation(judged).spec());
        assertThat(found.train()).extracting(Path::getFileName).containsExactly(Path.of("a.csv"));
        assertThat(found.validation()).containsExactly(judged);
        assertThat(found.notes())
                .containsExactly(
                        "1 files of data.train are in data.validation, too: they are judged by and"
                                + " not learnt from");
    }

    @Test
    void aFileThatBothListsNameShouldBeSaid() throws IOException {
        Path file = write("a.csv");
        Path again = Files.createSymbolicLink(folder.resolve("b.csv"), file);
        Inputs found = Inputs.find(given(file).validation(again).spec());
        assertThat(found.train()).containsExactly(file);
        assertThat(found.notes())
                .singleElement()
                .asString()
                .contains("both data.train and data.validation name", "nothing of new data");
    }

    @Test
    void aFolderOfWhichAllIsJudgedByShouldBeRefused() throws IOException {
        write("a.csv");
        assertThatThrownBy(() -> Inputs.find(given(folder).validation(folder).spec()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nothing is left to learn from");
    }

    @Test
    void aFileThatTwoEntriesNameShouldBeReadOnce() throws IOException {
        Path file = write("d/a.csv");
        write("d/b.csv");
        Inputs found =
                Inputs.find(
                        Given.files(file, folder.resolve("d/*.csv"))
                                .format(DataFormat.CSV)
                                .label("y")
                                .spec());
        assertThat(found.train()).hasSize(2);
        assertThat(found.notes()).singleElement().asString().contains("more than once", "a.csv");
    }

    @Test
    void linksToFilesAndFoldersShouldBeFollowed() throws IOException {
        Path real = write("elsewhere/a.csv").getParent();
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        assertThat(Inputs.find(given(link).spec()).train()).hasSize(1);
        assertThat(Inputs.find(given(link.resolve("*.csv")).spec()).train()).hasSize(1);
        Path parts = Files.createDirectories(folder.resolve("parts"));
        Files.createSymbolicLink(parts.resolve("p.csv"), real.resolve("a.csv"));
        Files.createSymbolicLink(parts.resolve("more"), real);
        Files.createSymbolicLink(parts.resolve("round"), parts);
        Files.createSymbolicLink(parts.resolve("gone"), folder.resolve("nothing"));
        assertThat(Inputs.find(given(parts).spec()).train())
                .extracting(file -> parts.relativize(file).toString())
                .containsExactly("more/a.csv", "p.csv");
    }

    @Test
    void aNameThatIsNoPatternShouldBeOneMessage() {
        Path none = folder.resolve("sales[1.csv");
        assertThatThrownBy(() -> Inputs.find(given(none).spec()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(none + ": there is no such file or folder");
    }

    private Given given(Path path) {
        return Given.files(path).format(DataFormat.CSV).label("y");
    }

    private Path write(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, TABLE);
    }
}

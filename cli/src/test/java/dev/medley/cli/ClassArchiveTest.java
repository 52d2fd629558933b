package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.File;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the command start as quickly as they can, with the classes that they name. */
@Tag("unit")
class ClassArchiveTest {
    private static final String PATH = System.getProperty("java.class.path");

    private Set<String> archived;

    @BeforeEach
    void makeSureThatThereIsOne() throws Exception {
        archived = ClassArchive.entries(ClassArchive.jars());
        assumeFalse(archived.contains(""), "skipped: no test of the module before has run");
    }

    /** Where a library has another version here than there, nobody would see but by the clock. */
    @Test
    void librariesShouldBeThoseOfTheModuleBefore() {
        assertThat(ClassArchive.entries(PATH))
                .as("libraries of api/target/classes.path: run the tests of api anew if it is old")
                .containsAll(libraries(archived));
    }

    @Test
    void aPathWithAllOfItsJarsShouldBeginWithThem() throws Exception {
        String all = String.join(File.pathSeparator, archived);
        assertThat(ClassArchive.options(all))
                .anyMatch(option -> option.startsWith("-XX:SharedArchiveFile="))
                .last()
                .asString()
                .startsWith(ClassArchive.jars())
                .endsWith(all);
    }

    @Test
    void aPathWithoutOneOfItsJarsShouldBeTakenAsItIs() throws Exception {
        String left = archived.iterator().next();
        String without =
                ClassArchive.entries(PATH).stream()
                        .filter(entry -> !entry.equals(left))
                        .collect(Collectors.joining(File.pathSeparator));
        assertThat(ClassArchive.options(without)).containsExactly("-cp", without);
    }

    /** All but the modules of this project, which are folders before they are packaged. */
    private static Set<String> libraries(Set<String> jars) {
        return jars.stream()
                .filter(jar -> !jar.matches(".*medley-\\w+-[^/]*\\.jar"))
                .collect(Collectors.toSet());
    }
}

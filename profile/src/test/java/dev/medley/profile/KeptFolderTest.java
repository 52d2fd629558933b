package dev.medley.profile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class KeptFolderTest {
    private static final KeptFolder.Reader<String> TEXT = file -> new String(file, UTF_8);

    @TempDir Path parent;

    @Test
    void shouldFindWhatWasKeptLast() {
        KeptFolder kept = new KeptFolder(parent.resolve("new"), "things");
        assertThat(kept.find("g", "k", TEXT)).isNull();
        assertThat(kept.all("g", TEXT)).isEmpty();
        kept.keep("g", "k", "one");
        kept.keep("g", "k", "two");
        kept.keep("g", "other", "three");
        kept.keep("h", "k", "four");
        assertThat(kept.find("g", "k", TEXT)).isEqualTo("two");
        assertThat(kept.all("g", TEXT)).containsExactlyInAnyOrder("two", "three");
    }

    @Test
    void shouldPassOverWhatCannotBeReadOrIsNotLookedFor() {
        KeptFolder kept = new KeptFolder(parent, "numbers");
        kept.keep("g", "a", "7");
        kept.keep("g", "b", "seven");
        kept.keep("g", "c", "0");
        KeptFolder.Reader<Integer> positive =
                file -> {
                    int number = Integer.parseInt(new String(file, UTF_8));
                    return number > 0 ? number : null;
                };
        assertThat(kept.all("g", positive)).containsExactly(7);
        assertThat(kept.find("g", "b", positive)).isNull();
    }

    @Test
    void shouldGoOnWhereNothingCanBeKept() throws IOException {
        Path file = Files.writeString(parent.resolve("file"), "no folder");
        KeptFolder kept = new KeptFolder(file, "things");
        kept.keep("g", "k", "lost");
        assertThat(kept.find("g", "k", TEXT)).isNull();
        assertThat(kept.all("g", TEXT)).isEmpty();
        assertThat(file).hasContent("no folder");
    }

    @Test
    void shouldDropTheOldest() throws IOException {
        KeptFolder kept = new KeptFolder(parent, "things");
        kept.keep("g", "oldest", "old");
        try (Stream<Path> files = Files.list(parent)) {
            Files.setLastModifiedTime(files.toList().get(0), FileTime.fromMillis(1));
        }
        for (int i = 0; i < 255; i++) {
            kept.keep("g", "k" + i, "new");
        }
        assertThat(kept.find("g", "oldest", TEXT)).isEqualTo("old");
        kept.keep("g", "one more", "new");
        assertThat(kept.find("g", "oldest", TEXT)).isNull();
        List<String> all = kept.all("g", TEXT);
        assertThat(all).hasSize(256).containsOnly("new");
    }
}

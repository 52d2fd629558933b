package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job says of classes is judged as soon as they are known. */
@Tag("unit")
class ClassesFirstTest {
    @TempDir Path folder;

    /** Refuses all classes, and remembers what was done. */
    private static final class Refusal implements PreparationProgress {
        private final List<String> phases = new ArrayList<>();
        private final List<String> seen = new ArrayList<>();

        @Override
        public void at(String phase, long done, long total) {
            phases.add(phase);
        }

        @Override
        public void classes(List<String> classes) {
            seen.addAll(classes);
            throw new ConfigException("not these");
        }
    }

    @Test
    void shouldBeToldBeforeAnythingIsFitted() throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("a.csv"),
                        "who,day,words,sort\nann,1,so it is,b\nann,2,it is,b\nbob,1,is it,a\n");
        assertRefused(Given.files(file).label("sort").spec());
        assertRefused(
                Given.files(file)
                        .label("sort")
                        .series(SeriesSpec.of("day", 2, 1).seeing(List.of("who"), List.of()))
                        .spec());
        assertRefused(
                Given.files(file)
                        .label("sort")
                        .text(new TextSpec(TextUnit.BYTES, 4, 4, List.of("*"), 0, "words"))
                        .spec());
    }

    private void assertRefused(DataSpec spec) {
        Refusal refusal = new Refusal();
        assertThatThrownBy(() -> Datasets.prepare(spec, 1, folder.resolve("cache"), refusal))
                .isInstanceOf(ConfigException.class)
                .hasMessage("not these");
        assertThat(refusal.seen).containsExactly("a", "b");
        assertThat(refusal.phases).doesNotContain("fitting", "encoding");
    }
}

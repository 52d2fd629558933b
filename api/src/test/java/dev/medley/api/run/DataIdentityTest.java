package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.Dataset;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.record.folder.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class DataIdentityTest {
    @TempDir Path folder;

    @Test
    void aRunShouldGoOnWithTheDataThatItBeganWithAlone() throws IOException {
        Path table = folder.resolve("t.csv");
        Files.writeString(table, "a,b,y\n" + "1.5,u,yes\n2.25,v,no\n".repeat(20));
        RunFolder run = RunFolder.create(folder.resolve("runs"), "known", Clock.system());
        assertThatCode(() -> DataIdentity.require(run, prepared("one")))
                .as("a run of an earlier build says nothing of its data")
                .doesNotThrowAnyException();
        Files.writeString(run.dataIdentity(), Json.line(DataIdentity.of(prepared("one"))));
        assertThatCode(() -> DataIdentity.require(run, prepared("one"))).doesNotThrowAnyException();
        assertThatCode(() -> DataIdentity.require(run, prepared("two"))).doesNotThrowAnyException();
        Files.writeString(table, "9,u,yes\n", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> DataIdentity.require(run, prepared("one")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has changed since it began")
                .hasMessageContaining("--init");
    }

    @Test
    void anotherReadingOfTheSameFilesShouldBeRefused() throws IOException {
        Files.writeString(folder.resolve("t.csv"), "a,b,y\n" + "1.5,u,yes\n2,v,no\n".repeat(20));
        RunFolder run = RunFolder.create(folder.resolve("runs"), "known", Clock.system());
        DataIdentity now = DataIdentity.of(prepared("one"));
        DataIdentity before = new DataIdentity(now.contents(), "another", "0.0.9");
        Files.writeString(run.dataIdentity(), Json.line(before));
        assertThatThrownBy(() -> DataIdentity.require(run, prepared("one")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("than by Medley 0.0.9");
    }

    private PreparedData prepared(String cache) {
        return Datasets.prepare(
                Dataset.table(folder.resolve("t.csv")).label("y").spec(),
                7,
                folder.resolve(cache),
                PreparationProgress.NONE);
    }
}

package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Json;
import dev.medley.loop.learn.LearntRows;
import dev.medley.loop.stage.Known;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A source is compared with its snapshot row by row, and read anew where it differs. */
@Tag("real")
@Timeout(240)
class ReconcileTest {
    @TempDir Path folder;

    @Test
    void shouldTellWhatDiffersAndMendItWithoutChangingWhatWasLearntFrom() throws Exception {
        GivenLoop given = new GivenLoop(folder);
        given.rows(0, GivenLoop.ROWS, 0);
        try (Loop loop = given.open()) {
            assertThatThrownBy(() -> loop.reconciles().compare(null))
                    .hasMessageContaining("things has no snapshot yet");
        }
        given.run();
        LearntRows before = Json.bind(given.stage(1, "rows").result(), LearntRows.class);
        long asOfMs = Json.bind(given.stage(1, "known").result(), Known.class).asOfMs();
        try (Loop loop = given.open()) {
            Reconciled equal = loop.reconciles().compare("things").get(0);
            assertThat(equal.found().isEqual()).isTrue();
            assertThat(equal.found().source().rows()).isEqualTo(GivenLoop.ROWS);
            Path file = folder.resolve("things-0.csv");
            String text = Files.readString(file);
            String last = text.lines().reduce((a, b) -> b).orElseThrow();
            Files.writeString(
                    file, text.replace(last + "\n", "").replaceFirst("\n0,([^,]*),", "\n0,$1,9"));
            Reconciled differs = loop.reconciles().compare(null).get(0);
            assertThat(differs.found().isEqual()).isFalse();
            assertThat(differs.found().differing()).isEqualTo(2);
            Reconciled mended = loop.reconciles().repair(null).get(0);
            assertThat(mended.found().isEqual()).isTrue();
            assertThat(mended.version()).isEqualTo(2);
            assertThat(mended.repair()).isNotNull();
            assertThat(mended.repair().difference().gone()).isOne();
            LearntRows again = loop.maker().again(asOfMs, folder.resolve("again"), before.cutMs());
            assertThat(again.sha256()).isEqualTo(before.sha256());
            assertThatThrownBy(() -> loop.reconciles().compare("thing"))
                    .hasMessageContaining("did you mean things?");
        }
    }
}

package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.state.StageOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A loop whose rows land in a store that all machines see. */
@Tag("real")
@Timeout(240)
class LandingTest {
    private static final int ROWS = 300;
    private static final String PROMOTE = "promote: {metric: auc, newest: 20%}";

    @TempDir Path folder;

    @Test
    void rowsShouldComeBackFromTheStoreWhereTheFolderIsLost() throws Exception {
        Path store = folder.resolve("store");
        GivenLoop loop =
                GivenLoop.plain(folder).with(PROMOTE, "snapshots: \"file://" + store + "/small\"");
        loop.rows(0, ROWS, 0);
        assertThat(loop.run().outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(store.resolve("small/things/parts/00000001.parquet")).exists();
        delete(folder.resolve("small.loop/sources"));
        loop.rows(ROWS, ROWS + 20, 0);
        assertThat(loop.run().outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(loop.stage(2, "sync things").why())
                .contains("20 new, 0 changed, 0 gone; read 20");
        assertThat(new SnapshotFolder(store.resolve("small/things")).requireManifest().latest())
                .isEqualTo(
                        new SnapshotFolder(folder.resolve("small.loop/sources/things"))
                                .requireManifest()
                                .latest());
        Path file = GivenLoop.plain(folder).with(PROMOTE, "snapshots: bucket/small").file();
        assertThatThrownBy(() -> LoopFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("small.yaml:")
                .hasMessageContaining("snapshots=bucket/small: s3://BUCKET/FOLDER is needed");
    }

    private static void delete(Path place) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(place)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}

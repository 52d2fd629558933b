package dev.medley.data.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.table.TermSpec;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the parts of a record lie, and that the widest row finds room wherever it is. */
@Tag("unit")
class RowLayoutTest {
    @Test
    void partsShouldFollowEachOther() {
        RowLayout all = new RowLayout(3, 2, 5, 1, 1);
        assertThat(all.codesAt()).isEqualTo(12);
        assertThat(all.termsAt()).isEqualTo(20);
        assertThat(all.targetAt()).isEqualTo(60);
        assertThat(all.weightAt()).isEqualTo(64);
        assertThat(all.groupAt()).isEqualTo(68);
        assertThat(all.bytes()).isEqualTo(72);
        assertThat(new RowLayout(3, 2, 0, 0, 1).bytes()).isEqualTo(28);
        assertThat(new RowLayout(0, 0, 0, 0, 0).bytes()).isEqualTo(4);
    }

    @Test
    void estimatesShouldBeginBeyond200000RowsOfManyValues() {
        assertThat(TableSummary.isExact(1_000_000, 200_000)).isTrue();
        assertThat(TableSummary.isExact(200, 200_001)).isTrue();
        assertThat(TableSummary.isExact(201, 200_001)).isFalse();
    }

    /** The engine hands rows over 2,048 at a time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2047, 2048, 2049, 4096})
    void theWidestRowShouldHaveRoom(int rows, @TempDir Path folder) throws IOException {
        GivenEncoding files = new GivenEncoding(folder.resolve("cache"));
        TermSpec words = new TermSpec(1, 0, List.of("t"), List.of(), 100, 5, true);
        List<String> lines = new ArrayList<>(List.of("t,y", "aa,u", "bb,v", "cc dd,u"));
        Given train = Given.files(Files.write(folder.resolve("t.csv"), lines));
        SplitSpec all = new SplitSpec(SplitKind.RANDOM, 0, null);
        TableEncoding model =
                (TableEncoding) files.trained(train.label("y").terms(words).split(all));
        assertThat(model.slots()).isEqualTo(2);
        List<String> more = new ArrayList<>(List.of("t"));
        for (int i = 1; i < rows; i++) {
            more.add("aa");
        }
        more.add("aa bb cc dd");
        Given later = Given.files(Files.write(folder.resolve("more.csv"), more));
        TableEncoding room = (TableEncoding) files.encodeInputs(model, later).encoding();
        assertThat(room.slots()).isEqualTo(4);
    }
}

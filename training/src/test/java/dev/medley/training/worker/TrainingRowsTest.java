package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where shares of rows may begin. */
@Tag("unit")
class TrainingRowsTest {
    /** More than are read at once. */
    private static final int LARGE = 5000;

    @TempDir Path folder;

    @Test
    void sharesShouldBeginWhereGroupsDo() throws IOException {
        List<Integer> sizes = List.of(1, 3, LARGE, 2, 1, 7, 1);
        Set<Long> starts = new TreeSet<>();
        StringBuilder text = new StringBuilder("q,x,g\n");
        long row = 0;
        for (int group = 0; group < sizes.size(); group++) {
            starts.add(row);
            for (int i = 0; i < sizes.get(group); i++, row++) {
                text.append(group).append(',').append(row).append(',').append(row % 3).append('\n');
            }
        }
        long count = row;
        try (TrainingData data = open(text.toString())) {
            TrainingRows rows = new TrainingRows(data, TargetKind.GRADE);
            assertThat(rows.count()).isEqualTo(count);
            Set<Long> found = new TreeSet<>();
            for (long start : starts) {
                found.add(rows.border(start));
                found.add(rows.border(start + 1));
            }
            starts.add(count);
            assertThat(found).isEqualTo(starts);
            assertThat(rows.border(count)).isEqualTo(count);
            TrainingRows plain = new TrainingRows(data, TargetKind.VALUE);
            assertThat(plain.border(17)).isEqualTo(17);
        }
    }

    private TrainingData open(String text) throws IOException {
        Path table = Files.writeString(folder.resolve("t.csv"), text);
        Path few = Files.writeString(folder.resolve("v.csv"), "q,x,g\n1,2,0\n1,3,1\n");
        DataSpec spec =
                new DataSpec(
                                DataFormat.CSV,
                                List.of(table.toString()),
                                List.of(few.toString()),
                                "g",
                                DataSpec.SplitSpec.defaults(),
                                DataSpec.TableSpec.defaults(),
                                DataSpec.ImageSpec.defaults(),
                                DataSpec.TextSpec.defaults(),
                                DataSpec.CacheSpec.defaults(),
                                2,
                                null)
                        .rankedBy("q");
        PreparedData prepared =
                Datasets.prepare(spec, 1, folder.resolve("cache"), PreparationProgress.NONE);
        return TrainingData.open(prepared, 1, Clock.system());
    }
}

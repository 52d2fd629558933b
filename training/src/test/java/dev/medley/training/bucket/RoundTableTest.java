package dev.medley.training.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.training.bucket.RoundTable.Row;
import java.nio.DoubleBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class RoundTableTest {
    @Test
    void shouldTellWhatIsInTheSum() {
        List<Row> rows = List.of(new Row(6, 3, false, 0, 0), new Row(0, 5, true, 2, 2));
        double[] table = new double[(int) RoundTable.bytes(2) / Double.BYTES];
        for (int rank = 0; rank < rows.size(); rank++) {
            double[] own = new double[table.length];
            new RoundTable(DoubleBuffer.wrap(own), 2).write(rank, rows.get(rank));
            add(own, table);
        }
        RoundTable summed = new RoundTable(DoubleBuffer.wrap(table), 2);
        assertThat(List.of(summed.row(0), summed.row(1))).isEqualTo(rows);
        assertThat(summed.samples()).isEqualTo(3 + 5 + 2);
        assertThat(summed.weightedSteps()).isEqualTo(6);
    }

    private static void add(double[] what, double[] to) {
        for (int i = 0; i < to.length; i++) {
            to[i] += what[i];
        }
    }
}

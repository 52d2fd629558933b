package dev.medley.spark.rows;

import dev.medley.base.time.Clock;
import dev.medley.data.dataset.PreparedData;
import dev.medley.spark.LocalCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Measures what one core copies; run by name (-Dtest=SparkFigures), on a quiet machine. */
@Tag("real")
class SparkFigures {
    private static final int ROWS = 200_000;
    private static final int FEATURES = 40;
    private static final int TIMES = 7;

    private final Clock clock = Clock.system();

    /** Rows as Spark has them, to records as workers have them; and records to blocks. */
    @Test
    void shouldSayHowFastACoreCopies() throws IOException {
        SparkSession session = LocalCluster.shared();
        List<String> names = new ArrayList<>();
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < FEATURES; i++) {
            names.add("x" + i);
            columns.add("randn(%d) AS x%d".formatted(i, i));
        }
        columns.add("id % 2 AS label");
        Dataset<Row> rows =
                new VectorAssembler()
                        .setInputCols(names.toArray(String[]::new))
                        .setOutputCol("features")
                        .transform(
                                session.range(0, ROWS, 1, 1)
                                        .selectExpr(columns.toArray(String[]::new)))
                        .select("features", "label");
        FrameColumns.Wanted wanted =
                new FrameColumns.Wanted(List.of("features"), "label", null, null);
        try (FrameData data = FrameData.of(rows, wanted, FrameDataTest.label("label"), null, 1)) {
            PreparedData prepared = data.prepared();
            FrameColumns.Projection projection = FrameColumns.find(rows, wanted);
            List<InternalRow> inside = new ArrayList<>();
            for (InternalRow row :
                    ((org.apache.spark.sql.classic.Dataset<Row>) projection.of(rows))
                            .queryExecution()
                            .toRdd()
                            .toJavaRDD()
                            .map(InternalRow::copy)
                            .collect()) {
                inside.add(row);
            }
            Encode encode =
                    new Encode(
                            new Blocks(0),
                            projection.columns(),
                            new RecordMaking(prepared.encoding(), false),
                            new HeldOut(projection.columns().roles(), 0, 1));
            long bytes = prepared.train().decodedBytes();
            List<Double> encoded = new ArrayList<>();
            List<Double> read = new ArrayList<>();
            HeldRows held = (HeldRows) data.rows();
            for (int i = 0; i < TIMES; i++) {
                long beganNs = clock.nowNs();
                Iterator<InternalRow> each = inside.iterator();
                EncodedPart unused = encode.of(0, each, (block, chunk) -> {});
                encoded.add(bytes * 1e3 / (clock.nowNs() - beganNs));
                beganNs = clock.nowNs();
                for (long block = 0; block < prepared.train().layout().blocks(); block++) {
                    byte[] unusedToo = held.block(prepared.train(), block);
                }
                read.add(bytes * 1e3 / (clock.nowNs() - beganNs));
            }
            say("encode", encoded);
            say("read", read);
        }
    }

    private static void say(String what, List<Double> figures) {
        List<Double> sorted = figures.stream().sorted().toList();
        System.out.printf(
                Locale.ROOT,
                "FIGURE {\"what\": \"%s\", \"median_mb_s\": %.0f, \"least\": %.0f, \"most\":"
                        + " %.0f}%n",
                what,
                sorted.get(sorted.size() / 2),
                sorted.get(0),
                sorted.get(sorted.size() - 1));
    }
}

package dev.medley.spark.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.CacheSpec;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.spark.LocalCluster;
import java.util.List;
import org.apache.commons.lang3.SerializationUtils;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real")
class FrameDataTest {
    private final SparkSession session = LocalCluster.shared();

    static DataSpec label(String column) {
        return new DataSpec(
                DataFormat.CSV,
                List.of("DataFrame"),
                List.of(),
                column,
                new SplitSpec(SplitKind.RANDOM, 0, null),
                TableSpec.defaults(),
                ImageSpec.defaults(),
                TextSpec.defaults(),
                CacheSpec.defaults(),
                2,
                null);
    }

    private static FrameData data(Dataset<Row> rows, String label, String... inputs) {
        return FrameData.of(
                rows,
                new FrameColumns.Wanted(List.of(inputs), label, null, null),
                label(label),
                null,
                1);
    }

    private static void refused(Dataset<Row> rows, String label, String input, String... words) {
        assertThatThrownBy(() -> data(rows, label, input).close())
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void shouldReadPaddedTextsAsTheyAreInFiles() {
        Dataset<Row> rows =
                session.range(0, 400, 1, 3)
                        .selectExpr(
                                "rpad(IF(id % 2 = 0, 'red', 'blue'), 9, ' ') AS c",
                                "IF(id % 2 = 0, 'yes  ', 'no') AS y");
        try (FrameData data = data(rows, "y", "c")) {
            TableEncoding encoding = (TableEncoding) data.prepared().encoding();
            assertThat(((Category) encoding.columns().get(0)).values())
                    .containsExactly("blue", "red");
            assertThat(encoding.label().classes()).containsExactly("no", "yes");
            assertThat(data.prepared().findings().classCounts()).containsExactly(200L, 200L);
        }
    }

    /** One row of 60,000 differs, another lacks its number: no sample need show them. */
    @Test
    void shouldSeeWhatASampleDoesNotShow() {
        Dataset<Row> rows =
                session.range(0, 60_000, 1, 4)
                        .selectExpr(
                                "IF(id = 41234, 5.0D, 1.0D) AS rare",
                                "IF(id = 777, NULL, CAST(id AS DOUBLE)) AS gap",
                                "IF(id % 3 = 0, 'a', 'b') AS y");
        try (FrameData data = data(rows, "y", "rare", "gap")) {
            TableEncoding encoding = (TableEncoding) data.prepared().encoding();
            assertThat(encoding.dense())
                    .extracting(column -> column.features().size())
                    .containsExactly(1, 2); // The second has a flag of what is missing.
            assertThat(data.prepared().trainSamples()).isEqualTo(60_000);
            assertThat(data.missing()).isEqualTo(1);
        }
    }

    @Test
    void shouldComputeLostRowsAnewAndSeeThatTheyAreTheSame() throws Exception {
        Dataset<Row> stable = session.range(0, 9_000, 1, 3).selectExpr("id AS x", "id % 7 AS y");
        session.udf().register("wild", (UDF0<Double>) Math::random, DataTypes.DoubleType);
        Dataset<Row> other = session.range(0, 9_000, 1, 3).selectExpr("wild() AS x", "id % 7 AS y");
        assertThat(afterLoss(stable, "x")).isNull();
        assertThat(afterLoss(other, "x")).contains("its rows are others").contains("checkpoint()");
    }

    /** What is said where all chunks were lost; null if the rows are there again, the same. */
    private String afterLoss(Dataset<Row> rows, String input) {
        try (FrameData data = data(rows, "y", input)) {
            PreparedData prepared = data.prepared();
            HeldRows held = (HeldRows) data.rows();
            byte[] before = held.block(prepared.train(), 0).clone();
            int set = Integer.parseInt(held.name().replaceAll("\\D", ""));
            new Blocks(set).forget(true);
            HeldRows again = SerializationUtils.clone(held); // As in another process.
            TaskContext none = TaskContext$.MODULE$.empty();
            again.enter(none);
            byte[] after = again.block(prepared.train(), 0);
            again.leave();
            assertThat(after).isEqualTo(before);
            return null;
        } catch (java.io.IOException e) {
            return e.getMessage();
        }
    }

    @Test
    void shouldRefuseColumnsAndRowsThatCannotBeUsed() {
        Dataset<Row> rows =
                session.range(0, 50, 1, 2)
                        .selectExpr(
                                "id AS x",
                                "array(id) AS list",
                                "IF(id = 7, NULL, id % 2) AS gap",
                                "id % 2 AS y",
                                "uuid() AS name");
        refused(rows, "y", "xx", "inputCols=xx", "did you mean x?");
        refused(rows, "y", "list", "array<bigint>", "cast it");
        refused(rows, "list", "x", "labelCol=list", "array<bigint>");
        refused(rows, "gap", "x", "a row has no label", "na.drop");
        refused(rows.where("x < 0"), "y", "x", "no rows");
    }
}

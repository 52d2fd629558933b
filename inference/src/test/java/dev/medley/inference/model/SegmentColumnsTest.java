package dev.medley.inference.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.evaluation.Segments;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.TableEncoding;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class SegmentColumnsTest {
    private static final TableEncoding TABLE =
            new TableEncoding(
                    List.of(
                            new Numeric("age", Source.NUMBER, 40, 10, 0, true),
                            new Numeric("member", Source.BOOLEAN, 0.5, 0.5, 0, false),
                            new Category("city, or town", List.of("a", "b"), true, false)),
                    LabelEncoding.NONE,
                    List.of(),
                    null);

    private static NamedSpan array(String name, double... values) {
        HostArray array = HostArray.allocate(ElementType.FLOAT64, values.length);
        array.data().buffer().asDoubleBuffer().put(values);
        return new NamedSpan(name, array.type(), array.shape(), array.data());
    }

    @Test
    void centresShouldBeToldInTheUnitsOfTheFiles() {
        Segments segments =
                SegmentColumns.of(
                        TABLE,
                        List.of(
                                array("centres", 1, 0.25, 1, 0.75, 0.25, 0, -2, 0, -1, 0, 0.5, 0.5),
                                array("sizes", 30, 10)));
        assertThat(segments.csv().lines())
                .containsExactly(
                        "column,figure,cluster 0,cluster 1,all",
                        "(rows),share,0.750000,0.250000,1",
                        "age,mean,50.0000,20.0000,42.5000",
                        "age,missing,0.250000,0.00000,0.187500",
                        "member,true,1.00000,0.00000,0.750000",
                        "\"city, or town\",a,0.750000,0.00000,0.562500",
                        "\"city, or town\",b,0.250000,0.500000,0.312500",
                        "\"city, or town\",missing,0.00000,0.500000,0.125000");
        assertThat(segments.tables().get(0).rows().get(1))
                .containsExactly("age", "mean", "50.00", "20.00", "42.50");
        assertThat(segments.tables().get(0).rows().get(0))
                .containsExactly("(rows)", "share", "75 %", "25 %", "100 %");
    }
}

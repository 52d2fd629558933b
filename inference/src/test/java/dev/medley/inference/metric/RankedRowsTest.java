package dev.medley.inference.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.evaluation.Ndcg;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Metrics of rankings, whose groups go on from block to block. */
@Tag("unit")
class RankedRowsTest {
    private static final Target GRADE = new Target(TargetKind.GRADE, 1, List.of());
    private static final float[] SCORES = {1, 2, 3, 0, 5, 4, 7};
    private static final float[] GRADES = {2, 0, 1, 1, 0, 2, 3};
    private static final float[] BEGIN = {1, 0, 0, 0, 1, 0, 1};

    private static final double EXPECTED =
            (Ndcg.of(new float[] {1, 2, 3, 0}, new float[] {2, 0, 1, 1}, 2)
                            + Ndcg.of(new float[] {5, 4}, new float[] {0, 2}, 2)
                            + 1)
                    / 3;

    @Test
    void groupsShouldBeWholeWhereverBlocksEnd() {
        for (int cut = 1; cut < SCORES.length; cut++) {
            Metric metric = metric("ndcg@2");
            List<double[]> blocks =
                    List.of(metric.values(block(0, cut)), metric.values(block(cut, SCORES.length)));
            assertThat(metric.figure(blocks)).isCloseTo(EXPECTED, within(1e-12));
        }
    }

    @Test
    void theLossShouldBeWhatIsMissingOfTheBestOrder() {
        List<double[]> all = List.of(RankedRows.SOURCE.values(block(0, SCORES.length)));
        assertThat(metric("loss").figure(all) + metric("ndcg").figure(all)).isEqualTo(1);
        assertThat(metric("loss").isHigherBetter()).isFalse();
        assertThat(metric("ndcg").isHigherBetter()).isTrue();
    }

    @Test
    void rankingsAndOthersShouldNotShareMetrics() {
        assertThatThrownBy(() -> metric("rmse"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("rmse is not defined for a target of kind grade");
        Target number = new Target(TargetKind.VALUE, 1, List.of());
        assertThatThrownBy(() -> Metrics.of(MetricSpec.of(TrainSpec.MetricKind.NDCG), number))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("ndcg is not defined for a target of kind value");
    }

    private static Metric metric(String name) {
        return Metrics.of(MetricSpec.named(name), GRADE);
    }

    private static EvaluatedBlock block(int from, int to) {
        HostArray outputs = HostArray.allocate(ElementType.FLOAT32, to - from, 1);
        HostArray target = HostArray.allocate(ElementType.FLOAT32, to - from, 2);
        for (int row = from; row < to; row++) {
            outputs.data().buffer().asFloatBuffer().put(row - from, SCORES[row]);
            target.data()
                    .buffer()
                    .asFloatBuffer()
                    .put(2 * (row - from), GRADES[row])
                    .put(2 * (row - from) + 1, BEGIN[row]);
        }
        return new EvaluatedBlock(outputs, target, 0, 0, to - from);
    }
}

package dev.medley.inference.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.evaluation.ClusterResults;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.inference.metric.EvaluatedBlock;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class SilhouettesTest {
    @Test
    void shouldBeThoseOfRousseeuw() {
        Silhouettes silhouettes = new Silhouettes(1);
        silhouettes.add(0, new double[] {0}, 0);
        silhouettes.add(0, new double[] {1}, 0);
        silhouettes.add(2, new double[] {10}, 0);
        double[][] sums = silhouettes.means(3);
        assertThat(sums[0][0]).isCloseTo(9 / 10.0 + 8 / 9.0, within(1e-12));
        assertThat(sums[1]).containsExactly(0, 0);
        assertThat(sums[2]).containsExactly(0, 1);
        assertThat(silhouettes.mean(sums)).isCloseTo((0.9 + 8 / 9.0) / 3, within(1e-12));
    }

    @Test
    void oneClusterShouldHaveNone() {
        Silhouettes silhouettes = new Silhouettes(1);
        silhouettes.add(0, new double[] {0}, 0);
        silhouettes.add(0, new double[] {3}, 0);
        assertThat(silhouettes.mean(silhouettes.means(1))).isNull();
    }

    /** Clusters by their outputs, whose features are the two places of each. */
    @Test
    void blocksShouldComeTogetherInOneReport() {
        ClustersPart part = new ClustersPart(5, 2);
        ClusterResults results =
                (ClusterResults)
                        part.sections(
                                        List.of(
                                                part.values(block(0, 1, 0)),
                                                part.values(block(1, 1))))
                                .get(0);
        assertThat(results.samples()).isEqualTo(5);
        assertThat(results.looked()).isEqualTo(5);
        assertThat(results.clusters())
                .extracting(ClusterResults.OfCluster::samples)
                .containsExactly(2L, 3L);
        assertThat(results.clusters().get(1).distance()).isEqualTo(0.5);
        assertThat(results.silhouette()).isEqualTo(1);
        assertThat(results.charts().get(0).lines().get(0).values()).containsExactly(0.4, 0.6);
    }

    private static EvaluatedBlock block(int... clusters) {
        HostArray outputs = HostArray.allocate(ElementType.FLOAT32, clusters.length, 2);
        HostArray inputs = HostArray.allocate(ElementType.FLOAT32, clusters.length, 2);
        HostArray targets = HostArray.allocate(ElementType.FLOAT32, clusters.length);
        for (int i = 0; i < clusters.length; i++) {
            outputs.data().buffer().asFloatBuffer().put(2 * i, clusters[i]).put(2 * i + 1, 0.5f);
            inputs.data().buffer().asFloatBuffer().put(2 * i, 7 * clusters[i]);
        }
        return new EvaluatedBlock(
                outputs, targets, null, 0, clusters.length, clusters.length, List.of(inputs));
    }
}

package dev.medley.inference.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class RankingTest {
    /** A score, a user and a place for each sample. */
    private static EvaluatedBlock block(float... outputs) {
        int samples = outputs.length / 3;
        HostArray array = HostArray.allocate(ElementType.FLOAT32, samples, 3);
        array.data().buffer().asFloatBuffer().put(outputs);
        HostArray target = HostArray.allocate(ElementType.FLOAT32, samples);
        return new EvaluatedBlock(array, target, 0, samples, samples);
    }

    private static double figure(String name, EvaluatedBlock... blocks) {
        Metric metric = new Ranking(MetricSpec.named(name));
        return metric.figure(List.of(blocks).stream().map(metric::values).toList());
    }

    @Test
    void shouldBeTheMeanOverUsersWhateverBlockTheirSamplesAreIn() {
        EvaluatedBlock first = block(0.5f, 1, 0, 0.5f, 2, 7);
        EvaluatedBlock second = block(0.5f, 1, 5, 0.5f, 2, 1, 0.5f, 3, -1);
        // User 1 took the first and the sixth, user 2 the second and the eighth; user 3 had it.
        assertThat(figure("recall@2", first, second)).isEqualTo(0.5);
        double best = 1 + 1 / log2(3);
        double found = (1 / best + 1 / log2(3) / best) / 2;
        assertThat(figure("ndcg@2", first, second)).isCloseTo(found, within(1e-12));
        assertThat(figure("recall@8", first, second)).isEqualTo(1);
    }

    @Test
    void shouldAskForNoMoreThanFits() {
        EvaluatedBlock three = block(0, 1, 0, 0, 1, 1, 0, 1, 2);
        assertThat(figure("recall@2", three)).isEqualTo(1);
        assertThat(figure("ndcg@2", three)).isEqualTo(1);
    }

    @Test
    void anItemThatAUserTookTwiceShouldCountOnce() {
        EvaluatedBlock twice = block(0, 1, 0, 0, 1, 0, 0, 1, 5);
        assertThat(figure("ndcg@2", twice)).isEqualTo(figure("ndcg@2", block(0, 1, 0, 0, 1, 5)));
        assertThat(figure("recall@2", twice)).isEqualTo(0.5);
    }

    private static double log2(double x) {
        return Math.log(x) / Math.log(2);
    }
}

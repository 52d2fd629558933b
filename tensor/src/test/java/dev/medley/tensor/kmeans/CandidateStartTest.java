package dev.medley.tensor.kmeans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CandidateStartTest {
    /** Ten thousand centres of a hundred columns would take an hour of one thread. */
    @Test
    void aStartThatIsTooLongShouldChooseAmongItsHeaviestCandidates() {
        int k = 20;
        int d = 3;
        int count = 10 * k;
        RandomGenerator random = Seeds.generator(3);
        double[] candidates = random.doubles((long) count * d).toArray();
        double[] weights = new double[count];
        Arrays.setAll(weights, i -> i % 5 == 0 ? 50 : 1);
        for (int i = 0; i < count; i++) {
            candidates[i * d] += i % 5 == 0 ? 10 : -10;
        }
        double[] before = candidates.clone();
        double[] whole = centres(new CandidateStart(candidates, weights, count, d), k);
        assertThat(Arrays.stream(whole).filter(x -> x < 0)).as("all of it").isNotEmpty();
        double[] cut = centres(new CandidateStart(candidates, weights, count, d, 3e3), k);
        assertThat(Arrays.stream(cut).distinct()).hasSize(k);
        assertThat(Arrays.stream(cut).filter(x -> x < 0)).as("the heaviest").isEmpty();
        assertThat(candidates).isEqualTo(before);
    }

    private static double[] centres(CandidateStart start, int k) {
        double[] centres = start.centres(k, Seeds.generator(4));
        double[] first = new double[k];
        Arrays.setAll(first, c -> centres[c * centres.length / k]);
        return first;
    }
}

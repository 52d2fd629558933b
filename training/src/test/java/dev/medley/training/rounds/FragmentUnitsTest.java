package dev.medley.training.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.round.FragmentSchedule;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.FragmentSums;
import dev.medley.training.strategy.NormalizedAveraging;
import dev.medley.training.strategy.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is foreseen of fragments is what all ranks say of them when they leave. */
@Tag("property")
class FragmentUnitsTest {
    private static final int RANKS = 3;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldBeWhatAllSayThatTheyDid(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        StreamSpec stream = new StreamSpec(1 + random.nextInt(5), random.nextInt(4));
        FragmentUnits units = new FragmentUnits(stream);
        List<FragmentProgress> ranks = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            ranks.add(new FragmentProgress(stream.fragments()));
        }
        for (int round = 1; round <= 12; round++) {
            if (random.nextInt(6) == 0) {
                units.beginAnew();
                ranks.forEach(FragmentProgress::beginAnew);
            }
            Part part = part(round, random);
            if (random.nextInt(4) == 0) {
                play(part(round, random), stream, ranks, units);
                ranks.forEach(FragmentProgress::discarded);
            }
            play(part, stream, ranks, units);
            units.applied();
        }
    }

    /** The last round of an epoch may be short, and a rank may have nothing. */
    private static Part part(int round, RandomGenerator random) {
        List<Integer> batches = new ArrayList<>();
        List<Integer> shares = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            int count = 1 + random.nextInt(9);
            batches.add(count);
            shares.add(random.nextInt(4) == 0 ? 0 : count * (1 + random.nextInt(100)));
        }
        int clocks = 1 + random.nextInt(9);
        return new Part(round, 0, 0, shares, batches, 8, clocks, i -> 1, Part.Patience.ALL);
    }

    /** A round as each rank goes through it. */
    private static void play(
            Part part, StreamSpec stream, List<FragmentProgress> ranks, FragmentUnits units) {
        units.begin(part);
        ranks.forEach(FragmentProgress::begin);
        double[] weights = new double[stream.fragments()];
        double[] weightedSteps = new double[stream.fragments()];
        for (int rank = 0; rank < RANKS; rank++) {
            FragmentProgress progress = ranks.get(rank);
            int count = part.batches().get(rank);
            List<Integer> leaves = FragmentSchedule.of(count, part.clocks(), stream).leaves();
            for (int done = 0; done <= count; done++) {
                for (int p = 0; p < stream.fragments(); p++) {
                    if (leaves.get(p) == done) {
                        FragmentSums own = progress.left(p);
                        weights[p] += own.weight();
                        weightedSteps[p] += own.weightedSteps();
                    }
                }
                if (done < count) {
                    progress.took(new StepLoss(1, (double) part.shares().get(rank) / count));
                }
            }
        }
        for (int p = 0; p < stream.fragments(); p++) {
            double expected =
                    weights[p] == 0 ? 0 : NormalizedAveraging.divisor(weights[p], weightedSteps[p]);
            assertThat(units.of(p)).as("fragment %d", p).isCloseTo(expected, within(1e-6));
        }
    }
}

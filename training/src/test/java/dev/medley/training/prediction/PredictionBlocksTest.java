package dev.medley.training.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("property")
class PredictionBlocksTest {
    @Test
    void ranksShouldPredictEachBlockOnceUnderPlansThatChange() {
        RandomGenerator random = Seeds.generator(7);
        for (int trial = 0; trial < 200; trial++) {
            int stepBlocks = 1 + random.nextInt(24);
            PredictionBlocks blocks =
                    new PredictionBlocks(random.nextInt(5000), 1 + random.nextInt(64), stepBlocks);
            List<Long> done = new ArrayList<>();
            for (long step = 1; step <= blocks.lastStep(); step++) {
                int cut = random.nextInt(stepBlocks + 1);
                Plan plan = new Plan(1, List.of(cut, stepBlocks - cut), 1, "");
                for (int rank = 0; rank < 2; rank++) {
                    for (long b = blocks.from(step, plan, rank);
                            b < blocks.to(step, plan, rank);
                            b++) {
                        done.add(b);
                    }
                }
            }
            assertThat(done)
                    .as("%s", blocks)
                    .containsExactlyElementsOf(
                            LongStream.range(0, blocks.count()).boxed().toList());
            assertThat(blocks.firstSample(blocks.count())).isEqualTo(blocks.samples());
        }
    }

    @Test
    void aStepShouldBeRecordedWhenItsLastBlockIs() {
        PredictionBlocks blocks = new PredictionBlocks(95, 10, 4); // 10 blocks, 3 steps
        assertThat(blocks.lastStep()).isEqualTo(3);
        assertThat(LongStream.of(0, 3, 4, 8, 9, 10).map(blocks::stepsIn))
                .containsExactly(0L, 0L, 1L, 2L, 2L, 3L);
    }
}

package dev.medley.training.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.WorkerId;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.inference.metric.EvaluationBlocks;
import dev.medley.training.Samples;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class BlockOwnersTest {
    private static final int BLOCKS = 80;
    private static final EvaluationBlocks BLOCKS_OF_TEN =
            new EvaluationBlocks(
                    10L * BLOCKS, 10, Samples.signature(TargetKind.VALUE).target(), List.of());

    @Test
    void eachShouldEvaluateAsMuchAsItsShareOfAStep() {
        List<Integer> owners = owners(List.of(1, 2, 3, 4), List.of(128, 64, 32, 32));
        assertThat(counts(owners, 4)).containsExactly(40, 20, 10, 10);
    }

    @Test
    void equalSharesShouldBeEqual() {
        assertThat(counts(owners(List.of(1, 2), List.of(7, 7)), 2)).containsExactly(40, 40);
        assertThat(counts(owners(List.of(1, 2, 3), List.of(1, 1, 1)), 3))
                .allMatch(count -> count == 26 || count == 27);
    }

    @Test
    void whoHasNoSamplesShouldEvaluateNothingUnlessNobodyHas() {
        assertThat(owners(List.of(1, 2), List.of(0, 5))).containsOnly(1);
        assertThat(counts(owners(List.of(1, 2), List.of(0, 0)), 2)).containsExactly(40, 40);
        assertThat(owners(List.of(9), List.of(3))).containsOnly(0);
    }

    @Test
    void fewBlocksShouldMoveWhenSomebodyLeavesOrSharesChange() {
        List<Integer> before = owners(List.of(1, 2, 3, 4), List.of(64, 64, 64, 64));
        List<Integer> without = owners(List.of(1, 2, 4), List.of(85, 85, 86));
        List<Integer> stayed = List.of(0, 1, -1, 2);
        assertThat(moved(before, without, stayed)).as("of 60 that need not").isLessThan(20);
        List<Integer> other = owners(List.of(1, 2, 3, 4), List.of(76, 60, 60, 60));
        assertThat(moved(before, other, List.of(0, 1, 2, 3))).isLessThan(20);
    }

    @Test
    void aSetOfNoSamplesShouldHaveNoOwners() {
        EvaluationBlocks none =
                new EvaluationBlocks(
                        0, 10, Samples.signature(TargetKind.VALUE).target(), List.of());
        assertThat(BlockOwners.of(none, List.of(new WorkerId(1)), List.of(4)).rankOfBlock())
                .isEmpty();
    }

    private static List<Integer> owners(List<Integer> workers, List<Integer> shares) {
        List<WorkerId> members = workers.stream().map(WorkerId::new).toList();
        return BlockOwners.of(BLOCKS_OF_TEN, members, shares).rankOfBlock();
    }

    private static List<Integer> counts(List<Integer> owners, int ranks) {
        return IntStream.range(0, ranks).mapToObj(r -> Collections.frequency(owners, r)).toList();
    }

    /** Blocks of members that stayed which are another's now; -1 for one that left. */
    private static long moved(List<Integer> before, List<Integer> after, List<Integer> ranks) {
        return IntStream.range(0, BLOCKS)
                .filter(block -> ranks.get(before.get(block)) >= 0)
                .filter(block -> !after.get(block).equals(ranks.get(before.get(block))))
                .count();
    }
}

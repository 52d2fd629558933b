package dev.medley.training.factor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.memory.SpanSource;
import dev.medley.base.model.FactorSpec.Feedback;
import dev.medley.base.model.FactorSpec.Tables;
import dev.medley.store.file.ScratchMemory;
import dev.medley.tensor.Torch;
import dev.medley.training.RanksOnThreads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds that tables which are dealt out come to the bits of whole ones, whoever is lost. */
@Tag("real")
class DealtRoundsTest {
    private static final int STEPS = 4;

    /** Fewer rows than the ratings of the item that most take. */
    private static final int BLOCK_ROWS = 16;

    @TempDir Path folder;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    private List<DealtMember> members(int count, Feedback feedback) {
        List<DealtMember> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SpanSource memory = new ScratchMemory(folder.resolve("scratch-" + i));
            members.add(new DealtMember(feedback, Tables.DEALT, BLOCK_ROWS, memory));
        }
        return members;
    }

    /** Members take steps, from the one after {@code step} to {@code last}. */
    private static void train(
            List<DealtMember> members, int epoch, long step, long last, List<Integer> behind)
            throws Exception {
        try (RanksOnThreads ranks = new RanksOnThreads(members.size())) {
            ranks.play(
                    epoch,
                    1 << 16,
                    all -> {
                        DealtMember member = members.get(all.rank());
                        boolean isBehind = behind.contains(all.rank());
                        member.join(all, ranks.group(epoch), epoch, step, isBehind);
                        for (long next = step + 1; next <= last; next++) {
                            assertThat(member.compute(all, epoch, next)).isNotNull();
                            member.apply(all, next);
                        }
                        return true;
                    });
        }
    }

    private static String whole(Feedback feedback) throws Exception {
        DealtMember one = new DealtMember(feedback, Tables.WHOLE, 0, SpanSource.NATIVE);
        train(List.of(one), 1, 0, STEPS, List.of());
        return one.hash();
    }

    @ParameterizedTest
    @CsvSource({"EXPLICIT,1", "EXPLICIT,2", "EXPLICIT,3", "IMPLICIT,1", "IMPLICIT,2", "IMPLICIT,3"})
    void partsShouldComeToTheBitsOfTheWhole(Feedback feedback, int workers) throws Exception {
        List<DealtMember> members = members(workers, feedback);
        train(members, 1, 0, STEPS, List.of());
        String whole = whole(feedback);
        for (int rank = 0; rank < workers; rank++) {
            assertThat(members.get(rank).hasAll()).isEqualTo(rank < 2);
            assertThat(members.get(rank).hash().equals(whole)).isEqualTo(rank < 2);
        }
    }

    @Test
    void nobodyShouldHoldMoreThanItsPartAndABlock() throws Exception {
        List<DealtMember> members = members(3, Feedback.EXPLICIT);
        train(members, 1, 0, STEPS, List.of());
        long rows = DealtMember.USERS + DealtMember.ITEMS + 2;
        long all = rows * DealtMember.ROW_BYTES;
        // What is fetched with its codes, and as much to answer others.
        long block = 2 * BLOCK_ROWS * (DealtMember.ROW_BYTES + Integer.BYTES);
        long sum = 0;
        for (DealtMember member : members) {
            assertThat(member.heldBytes()).isLessThanOrEqualTo(all / 2 + block);
            sum += member.heldBytes();
        }
        assertThat(sum).isBetween(all, all + 3 * block);
    }

    @Test
    void aLostKeeperShouldCostAStepThatWasUnderWay() throws Exception {
        List<DealtMember> members = members(3, Feedback.IMPLICIT);
        try (RanksOnThreads ranks = new RanksOnThreads(3)) {
            ranks.play(
                    1,
                    1 << 16,
                    all -> {
                        DealtMember member = members.get(all.rank());
                        member.join(all, ranks.group(1), 1, 0, false);
                        member.compute(all, 1, 1);
                        member.apply(all, 1);
                        member.compute(all, 1, 2);
                        member.discard();
                        return true;
                    });
        }
        DealtMember newcomer = members(1, Feedback.IMPLICIT).get(0);
        List<DealtMember> left = List.of(newcomer, members.get(2), members.get(1));
        train(left, 2, 1, STEPS, List.of(0));
        assertThat(newcomer.hash()).isEqualTo(whole(Feedback.IMPLICIT));
        assertThat(members.get(2).hash()).isEqualTo(newcomer.hash());
        assertThat(members.get(1).hasAll()).isFalse();
    }

    @Test
    void theLossOfBothKeepersShouldBeSaid() throws Exception {
        List<DealtMember> members = members(3, Feedback.EXPLICIT);
        train(members, 1, 0, 1, List.of());
        assertThatThrownBy(() -> train(List.of(members.get(2)), 2, 1, 2, List.of()))
                .hasStackTraceContaining("one of two may be lost at a time")
                .hasStackTraceContaining("--resume");
    }
}

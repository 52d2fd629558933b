package dev.medley.control.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group.Cut;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who goes on where workers do not reach each other. */
@Tag("unit")
class CutChoiceTest {
    @Test
    void allShouldGoOnWhereNothingIsCut() {
        CutChoice choice = choose(3, List.of());
        assertThat(choice).isEqualTo(new CutChoice(List.of(), List.of(), ""));
    }

    @Test
    void ofTwoTheFasterShouldGoOn() {
        CutChoice choice = choose(2, List.of(cut(1, 2)));
        assertThat(choice.waiting()).containsExactly(new WorkerId(1));
        assertThat(choice.why())
                .contains("worker-1 and worker-2 do not reach each other")
                .contains("without worker-1 until the way is back");
    }

    @Test
    void aThirdThatReachesBothShouldJoinThem() {
        CutChoice choice = choose(3, List.of(cut(1, 2)));
        assertThat(choice.waiting()).isEmpty();
        assertThat(choice.relayed()).containsExactly(cut(1, 2));
        assertThat(choice.why()).contains("others join those that go on");
    }

    @Test
    void whoIsCutFromAllShouldWaitHoweverFastItIs() {
        CutChoice choice = choose(4, List.of(cut(1, 4), cut(2, 4), cut(3, 4)));
        assertThat(choice.waiting()).containsExactly(new WorkerId(4));
        assertThat(choice.relayed()).isEmpty();
    }

    @Test
    void theLargerSideShouldGoOn() {
        List<Cut> cuts = new ArrayList<>();
        for (int one : List.of(1, 5)) {
            for (int other : List.of(2, 3, 4)) {
                cuts.add(cut(Math.min(one, other), Math.max(one, other)));
            }
        }
        assertThat(choose(5, cuts).waiting())
                .containsExactlyInAnyOrder(new WorkerId(1), new WorkerId(5));
    }

    /** The higher the id, the faster. */
    private static CutChoice choose(int workers, List<Cut> cuts) {
        List<Member> members = new ArrayList<>();
        for (int id = 1; id <= workers; id++) {
            members.add(
                    new Member(
                            new WorkerId(id), "host" + id, Member.NO_SITE, "10.0.0." + id, 1, ""));
        }
        return CutChoice.of(members, cuts, WorkerId::value);
    }

    private static Cut cut(int one, int other) {
        return new Cut(new WorkerId(one), new WorkerId(other));
    }
}

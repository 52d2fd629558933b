package dev.medley.net.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.net.membership.Membership.Action;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who leaves, and who is told of the end, step by step. */
@Tag("unit")
class MembershipTest {
    private static final WorkerId ONE = new WorkerId(1);
    private static final WorkerId TWO = new WorkerId(2);
    private static final WorkerId THREE = new WorkerId(3);
    private static final WorkerId FOUR = new WorkerId(4);
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final Progress BEGINNING = new Progress(0, false);
    private static final Progress STEP = new Progress(1, false);

    private final List<Action> actions = new ArrayList<>();
    private final Membership membership =
            new Membership(2, 1_000_000_000L, Membership.GroupSize.ALL);

    @Test
    void whoIsWantedBackShouldLeaveThoughTheOtherIsCutOff() {
        bothTrain();
        membership.cutOff(List.of(TWO), "TWO is out of reach");
        sealed(ONE);
        sealed(TWO);
        membership.leave(ONE, "wanted back");
        sealed(ONE);
        assertThat(actions()).contains(new Action.Released(ONE, true, "wanted back"));
    }

    /** The one that sat out takes the state over. */
    @Test
    void whoIsWantedBackShouldLeaveThoughTheOtherSitsOut() {
        bothTrain();
        membership.sitOut(TWO, "it costs more than it brings");
        sealed(ONE);
        sealed(TWO);
        assertThat(membership.members()).containsExactly(ONE);
        membership.leave(ONE, "wanted back");
        sealed(ONE);
        assertThat(membership.members()).containsExactly(ONE, TWO);
        sealed(ONE);
        sealed(TWO);
        assertThat(actions()).contains(new Action.Released(ONE, false, "wanted back"));
        assertThat(membership.members()).containsExactly(TWO);
    }

    /** Others have to know with which kernels a member computes, before it does. */
    @Test
    void aMemberWithOtherKernelsShouldHaveThemFromTheNextGroupOn() {
        bothTrain();
        membership.rekeyed(TWO, "two threads", "TWO may use 2 cores");
        assertThat(pauses()).containsExactly(PauseKind.REFORM);
        assertThat(keys()).as("of the group under way").containsExactly("", "");
        sealed(ONE);
        sealed(TWO);
        assertThat(keys()).containsExactly("", "two threads");
        membership.rekeyed(FOUR, "nobody's", "it is not there");
        assertThat(pauses()).containsExactly(PauseKind.REFORM);
    }

    private List<String> keys() {
        return lastForm().group().members().stream().map(Member::kernelKey).toList();
    }

    /** A member may wait for room on its disk, which another pause does not end. */
    @Test
    void theWishForTheEndShouldBeToldToThoseWhoPauseAlready() {
        bothTrain();
        membership.replan("another plan");
        assertThat(pauses()).containsExactly(PauseKind.REFORM);
        membership.stop("the user asked for the end");
        assertThat(pauses()).containsExactly(PauseKind.REFORM, PauseKind.END);
    }

    @Test
    void whoLoadedBeforeTheLastOneKeptWhatItHeldShouldBeginAnew() {
        theLastLeavesWhileAnotherLoads();
        membership.parted(ONE, STEP.step(), THREE);
        assertThat(actions()).anyMatch(action -> action instanceof Action.Anew);
        assertThat(membership.members()).isEmpty();
        comes(FOUR, STEP);
        assertThat(membership.members()).containsExactly(FOUR);
    }

    /** Its disk was full, or it was killed: there is nothing newer to begin with. */
    @Test
    void whoHasLoadedShouldGoOnWhereTheLastOneKeptNothing() {
        theLastLeavesWhileAnotherLoads();
        membership.parted(ONE, 0, THREE);
        assertThat(actions()).noneMatch(action -> action instanceof Action.Anew);
        assertThat(membership.members()).containsExactly(THREE);
    }

    @Test
    void theLastOneShouldNotBeWaitedForForever() {
        theLastLeavesWhileAnotherLoads();
        membership.tick(0);
        membership.heard(THREE, HOUR_NS);
        membership.tick(HOUR_NS);
        assertThat(membership.members()).containsExactly(THREE);
    }

    /** Whatever is kept may be of no use: then nobody is sent away again. */
    @Test
    void whoBeganLaterShouldNotBeSentAway() {
        theLastLeavesWhileAnotherLoads();
        membership.parted(ONE, STEP.step(), THREE);
        comes(FOUR, BEGINNING);
        assertThat(membership.members()).containsExactly(FOUR);
    }

    /** The other had gone further and is lost; what it kept is on the disk of the next to come. */
    @Test
    void whatANewcomerHasLoadedShouldCountWhereTheOthersHoldLess() {
        bothTrain();
        membership.kept(9, TWO);
        membership.lost(TWO, new Fault(Fault.Kind.PEER, "two", "gone"));
        sealed(ONE);
        assertThat(membership.members()).as("nobody is sent away").containsExactly(ONE);
        comes(FOUR, new Progress(9, false));
        sealed(ONE);
        assertThat(membership.members()).containsExactly(ONE, FOUR);
        Action.TellForm form = lastForm();
        assertThat(form.committed().step()).isEqualTo(9);
        assertThat(form.source()).isEqualTo(1);
        assertThat(form.behind()).containsExactly(0);
    }

    /** It is lost before the others copy from it; one who waits for a way holds as much. */
    @Test
    void whoHoldsLessThanTheGroupBeganWithShouldNotGoOnAlone() {
        Progress ahead = new Progress(9, false);
        comes(ONE, ahead);
        comes(TWO, ahead);
        membership.sealed(ONE, membership.epoch(), ahead);
        membership.cutOff(List.of(TWO), "TWO is out of reach");
        comes(THREE, STEP);
        membership.sealed(ONE, membership.epoch(), ahead);
        membership.sealed(TWO, membership.epoch(), ahead);
        assertThat(membership.members()).containsExactly(ONE, THREE);
        membership.lost(ONE, new Fault(Fault.Kind.PEER, "one", "gone"));
        membership.sealed(THREE, membership.epoch(), STEP);
        assertThat(membership.members()).containsExactly(TWO, THREE);
        assertThat(lastForm().committed()).isEqualTo(ahead);
    }

    /** Only it had applied the step, which the others have gone on without. */
    @Test
    void whatIsVoidShouldNotComeBackWithWhoWasCutOff() {
        for (WorkerId id : List.of(ONE, TWO, THREE)) {
            comes(id, STEP);
        }
        membership.replan("all three");
        sealed(ONE);
        sealed(TWO);
        assertThat(membership.members()).containsExactly(ONE, TWO, THREE);
        membership.cutOff(List.of(TWO), "TWO is out of reach");
        sealed(ONE);
        sealed(THREE);
        membership.sealed(TWO, membership.epoch(), new Progress(2, false));
        assertThat(membership.members()).containsExactly(ONE, THREE);
        membership.cutOff(List.of(), "TWO is back");
        membership.lost(THREE, new Fault(Fault.Kind.PEER, "three", "gone"));
        sealed(ONE);
        assertThat(lastForm().committed()).isEqualTo(STEP);
        assertThat(membership.members()).containsExactly(ONE, TWO);
    }

    /** All that reached each other are lost: it is not lost for want of a way to them. */
    @Test
    void whoWaitsForAWayShouldGoOnWhereNobodyIsLeft() {
        bothTrain();
        membership.cutOff(List.of(TWO), "TWO is out of reach");
        sealed(ONE);
        sealed(TWO);
        assertThat(membership.members()).containsExactly(ONE);
        membership.lost(ONE, new Fault(Fault.Kind.PEER, "one", "gone"));
        membership.cutOff(List.of(), "nobody is left to reach");
        assertThat(membership.members()).containsExactly(TWO);
        assertThat(lastForm().committed()).isEqualTo(STEP);
    }

    @Test
    void whoBeganAfterACheckpointShouldGoOnWithLess() {
        bothTrain();
        membership.kept(9, ONE);
        membership.lost(ONE, new Fault(Fault.Kind.PEER, "one", "gone"));
        sealed(TWO);
        assertThat(membership.members()).containsExactly(TWO);
    }

    /** It sat out with what it held; all that went further are lost. */
    @Test
    void whatOneHoldsWhoSatOutShouldCountWhereNobodyHoldsMore() {
        bothTrain();
        membership.sitOut(TWO, "it is late");
        sealed(ONE);
        sealed(TWO);
        assertThat(membership.members()).containsExactly(ONE);
        comes(THREE, BEGINNING);
        membership.lost(ONE, new Fault(Fault.Kind.PEER, "one", "gone"));
        assertThat(membership.members()).containsExactly(TWO, THREE);
        Action.TellForm form = lastForm();
        assertThat(form.committed()).isEqualTo(STEP);
        assertThat(form.source()).isZero();
        assertThat(form.behind()).containsExactly(1);
    }

    private void theLastLeavesWhileAnotherLoads() {
        bothTrain();
        membership.joined(THREE, 0);
        membership.leave(ONE, "wanted back");
        membership.leave(TWO, "wanted back");
        sealed(ONE);
        sealed(TWO);
        assertThat(actions()).contains(new Action.Released(ONE, true, "wanted back"));
        membership.ready(THREE, new Member(THREE, "h", "", "h", 1, ""), BEGINNING, 0);
        assertThat(membership.members()).isEmpty();
    }

    private void comes(WorkerId id, Progress holds) {
        membership.joined(id, 0);
        membership.ready(id, new Member(id, "h", "", "h", 1, ""), holds, 0);
    }

    @Test
    void nobodyShouldBeAskedToSaveWhereNobodyIsLeft() {
        bothTrain();
        membership.stop("the user asked for the end");
        membership.lost(ONE, new Fault(Fault.Kind.PEER, "one", "gone"));
        membership.lost(TWO, new Fault(Fault.Kind.PEER, "two", "gone"));
        assertThat(membership.phase()).isEqualTo(Membership.Phase.STOPPED);
        assertThat(actions()).noneMatch(action -> action instanceof Action.Stopped);
    }

    private void bothTrain() {
        for (WorkerId id : List.of(ONE, TWO)) {
            membership.joined(id, 0);
            membership.ready(id, new Member(id, "h", "", "h", 1, ""), STEP, 0);
        }
        assertThat(membership.members()).containsExactly(ONE, TWO);
    }

    private void sealed(WorkerId id) {
        membership.sealed(id, membership.epoch(), STEP);
    }

    private Action.TellForm lastForm() {
        return actions().stream()
                .filter(Action.TellForm.class::isInstance)
                .map(Action.TellForm.class::cast)
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    private List<PauseKind> pauses() {
        return actions().stream()
                .filter(Action.TellPause.class::isInstance)
                .map(action -> ((Action.TellPause) action).kind())
                .toList();
    }

    private List<Action> actions() {
        actions.addAll(membership.takeActions());
        return actions;
    }
}

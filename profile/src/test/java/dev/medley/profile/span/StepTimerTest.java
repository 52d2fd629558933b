package dev.medley.profile.span;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.ManualClock;
import dev.medley.profile.span.StepTimer.Phase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class StepTimerTest {
    private final ManualClock clock = new ManualClock();
    private final StepTimer timer = new StepTimer(clock);

    @Test
    void shouldCountEachPhaseAndLeaveTheRestToOther() {
        timer.begin();
        clock.passNs(5);
        spend(Phase.DATA, 10);
        spend(Phase.COMPUTE, 100);
        spend(Phase.EXCHANGE, 30);
        spend(Phase.COMPUTE, 50);
        spend(Phase.WAITING, 7);
        timer.enter(Phase.OTHER);
        clock.passNs(3);
        StepTimes times = timer.end();
        assertThat(times).isEqualTo(new StepTimes(205, 150, 30, 7, 10));
        assertThat(times.otherNs()).isEqualTo(8);
    }

    @Test
    void shouldMoveNoMoreThanThereIs() {
        timer.begin();
        spend(Phase.EXCHANGE, 40);
        timer.move(Phase.EXCHANGE, Phase.WAITING, 25);
        assertThat(timer.end()).isEqualTo(new StepTimes(40, 0, 15, 25, 0));

        timer.begin();
        spend(Phase.EXCHANGE, 40);
        timer.move(Phase.EXCHANGE, Phase.WAITING, 1000);
        assertThat(timer.end()).isEqualTo(new StepTimes(40, 0, 0, 40, 0));
    }

    @Test
    void shouldForgetThePreviousStep() {
        timer.begin();
        spend(Phase.COMPUTE, 40);
        timer.end();
        clock.passNs(1000);
        timer.begin();
        spend(Phase.DATA, 4);
        assertThat(timer.end()).isEqualTo(new StepTimes(4, 0, 0, 0, 4));
    }

    @Test
    void shouldNameThePhaseThatEndedSoThatItCanBeTakenUpAgain() {
        timer.begin();
        spend(Phase.COMPUTE, 1);
        Phase before = timer.enter(Phase.DATA);
        clock.passNs(2);
        timer.enter(before);
        clock.passNs(3);
        assertThat(timer.end()).isEqualTo(new StepTimes(6, 4, 0, 0, 2));
    }

    private void spend(Phase phase, long ns) {
        timer.enter(phase);
        clock.passNs(ns);
    }
}

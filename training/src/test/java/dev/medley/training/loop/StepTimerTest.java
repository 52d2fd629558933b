package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Plan;
import dev.medley.base.time.Clock;
import dev.medley.exchange.ExchangeTimes;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.Update;
import java.nio.DoubleBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class StepTimerTest {
    private static final Plan PLAN = new Plan(1, List.of(4), 4, "");

    private long nowNs = 1000;
    private final StepTimer timer =
            new StepTimer(
                    new Clock() {
                        @Override
                        public long nowNs() {
                            return nowNs;
                        }

                        @Override
                        public long wallMillis() {
                            return 0;
                        }
                    });

    @Test
    void whatIsComputedAheadShouldCountInTheStepForWhichItIs() {
        assertThat(step(50, 30, 7).computeNs()).isEqualTo(50);
        StepFigures second = step(20, 0, 7);
        assertThat(second.computeNs()).as("30 of it were computed before").isEqualTo(50);
        assertThat(second.stepNs()).isEqualTo(27);
        assertThat(second.exchangeNs()).isEqualTo(7);
        assertThat(step(50, 0, 7).computeNs()).isEqualTo(50);
    }

    @Test
    void whatWasAheadShouldEndWithItsGroup() {
        assertThat(step(50, 30, 0).computeNs()).isEqualTo(50);
        timer.formed();
        assertThat(step(50, 0, 0).computeNs()).isEqualTo(50);
    }

    @Test
    void dataOfWhatIsAheadShouldBeDataOfTheStepInWhichItCame() {
        timer.begin();
        nowNs += 10;
        timer.computed();
        timer.handedOver();
        timer.dataWanted();
        nowNs += 5;
        timer.dataReady(0);
        nowNs += 20;
        timer.wentAhead();
        timer.exchanged(ExchangeTimes.NONE);
        StepFigures figures = figures();
        assertThat(figures.computeNs()).isEqualTo(10);
        assertThat(figures.dataNs()).isEqualTo(5);
        assertThat(step(0, 0, 0).computeNs()).isEqualTo(20);
    }

    /** A step of 142 ns, of which 30 were ahead, with 4 for data and 11 for letters among them. */
    @Test
    void eachNanosecondOfAStepShouldCountOnceWhereItWasSpent() {
        timer.begin();
        nowNs += 10;
        data(5, 8);
        nowNs += 40;
        timer.computed();
        timer.handedOver();
        nowNs += 20;
        data(4, 1);
        nowNs += 6;
        timer.wentAhead();
        nowNs += 50;
        timer.exchanged(new ExchangeTimes(33, 0, 700, 800, 3, 11, List.of()));
        nowNs += 7;
        StepFigures figures = figures();
        assertThat(figures.stepNs()).isEqualTo(142);
        assertThat(figures.computeNs()).as("without data and sums of its site").isEqualTo(54);
        assertThat(figures.exchangeNs()).as("53 exposed, 33 waiting").isEqualTo(20);
        assertThat(figures.waitingNs()).isEqualTo(33 + 11);
        assertThat(figures.dataNs()).as("the longer of stall and wait").isEqualTo(8 + 4);
        assertThat(figures.bytesSent()).isEqualTo(700);
        assertThat(figures.bytesReceived()).isEqualTo(800);
        assertThat(step(50, 0, 0).computeNs()).as("15 were ahead").isEqualTo(65);
    }

    /** Nothing was computed ahead, so letters were waited for in the step itself. */
    @Test
    void whatIsWaitedForWithinAStepShouldNotBeComputing() {
        timer.begin();
        nowNs += 40;
        timer.computed();
        timer.handedOver();
        timer.wentAhead();
        nowNs += 20;
        timer.exchanged(new ExchangeTimes(90, 0, 0, 0, 0, 11, List.of()));
        StepFigures figures = figures();
        assertThat(figures.computeNs()).isEqualTo(40 - 11);
        assertThat(figures.exchangeNs()).isZero();
        assertThat(figures.waitingNs()).as("no more than was exposed").isEqualTo(20 + 11);
    }

    private void data(long waitedNs, long stallNs) {
        timer.dataWanted();
        nowNs += waitedNs;
        timer.dataReady(stallNs);
    }

    private StepFigures step(long computeNs, long aheadNs, long exchangeNs) {
        timer.begin();
        nowNs += computeNs;
        timer.computed();
        timer.handedOver();
        nowNs += aheadNs;
        timer.wentAhead();
        nowNs += exchangeNs;
        timer.exchanged(ExchangeTimes.NONE);
        return figures();
    }

    private StepFigures figures() {
        Tail tail = new Tail(DoubleBuffer.allocate(Tail.FIELDS), 1);
        return timer.figures(1, PLAN, new StepFigures.Samples(4, 4), tail, new Nothing());
    }

    private static final class Nothing implements Update {
        @Override
        public void run() {}

        @Override
        public double learningRateFactor() {
            return 1;
        }

        @Override
        public double gradientNorm() {
            return 0;
        }
    }
}

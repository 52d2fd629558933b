package dev.medley.training.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.round.Grace;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.time.Clock;
import dev.medley.training.strategy.Part.Patience;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a worker stops, hands over or is late, on a clock that a test sets. */
class RoundEndTest {
    private static final QuorumSpec TWO = QuorumSpec.of(2).waiting(100);

    private final AtomicInteger given = new AtomicInteger();
    private long nowNs = 1000;
    private long alarmNs = Long.MAX_VALUE;
    private Runnable alarm = () -> {};

    private final Clock clock =
            new Clock() {
                @Override
                public long nowNs() {
                    return nowNs;
                }

                @Override
                public long wallMillis() {
                    return 0;
                }
            };

    private final RoundEnd end = new RoundEnd(TWO, 3, clock, this::set);

    private void set(long atNs, Runnable action) {
        alarmNs = atNs;
        alarm = action;
    }

    private void begin(long step, Patience patience) {
        end.begin(step, patience, given::incrementAndGet);
    }

    private void quorum(long step) {
        end.done(0, step);
        end.done(1, step);
    }

    private void at(long ns) {
        nowNs = ns;
        if (nowNs >= alarmNs) {
            alarm.run();
        }
    }

    @Test
    @Tag("unit")
    void shouldGoOnUntilTheQuorumIsDone() {
        begin(1, Patience.NONE);
        end.done(0, 1);
        at(1_000_000);
        assertThat(end.decide(50).goesOn()).isTrue();
        assertThat(end.decide(50).why()).isEqualTo("1 of 3 are done, the quorum is 2");
        assertThat(alarmNs).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @Tag("unit")
    void shouldStopWhereABatchDoesNotFitAndHandOver() {
        begin(1, Patience.NONE);
        quorum(1);
        assertThat(alarmNs).isEqualTo(1100);
        at(1040);
        assertThat(end.decide(60).goesOn()).isTrue();
        assertThat(end.decide(61).goesOn()).isFalse();
        assertThat(end.close()).isTrue();
        at(1100);
        assertThat(given).as("it has handed over").hasValue(0);
    }

    @Test
    @Tag("unit")
    void shouldBeLateWhereItIsInABatchWhenTheGraceEnds() {
        begin(1, Patience.NONE);
        quorum(1);
        at(1100);
        assertThat(given).hasValue(1);
        assertThat(end.decide(1).goesOn()).isFalse();
        assertThat(end.close()).isFalse();
    }

    @Test
    @Tag("unit")
    void shouldNotMissASecondRoundBeforeItHasSeenTheFirst() {
        begin(1, Patience.NONE);
        quorum(1);
        at(1100);
        quorum(2);
        at(5000);
        assertThat(given).as("one round alone").hasValue(1);
        assertThat(end.close()).isFalse();
        begin(2, Patience.NONE);
        assertThat(end.decide(0).goesOn()).as("the grace is over").isFalse();
        assertThat(end.close()).isTrue();
        assertThat(given).hasValue(1);
    }

    /** The others were done before it began: the grace counts from then. */
    @Test
    @Tag("unit")
    void shouldBeLateWhereItBeginsAfterTheQuorumIsDone() {
        quorum(1);
        assertThat(alarmNs).as("it has not begun").isEqualTo(Long.MAX_VALUE);
        at(1040);
        begin(1, Patience.NONE);
        assertThat(alarmNs).isEqualTo(1100);
        assertThat(end.decide(60).goesOn()).isTrue();
        assertThat(end.decide(61).goesOn()).isFalse();
        at(1100);
        assertThat(given).hasValue(1);
        assertThat(end.close()).isFalse();
    }

    /** The grace is a part of what the quorum took, and one that is done twice counts once. */
    @Test
    @Tag("unit")
    void theGraceShouldBeAPartOfTheQuorumsTime() {
        RoundEnd tenth = new RoundEnd(QuorumSpec.of(2), 3, clock, this::set);
        tenth.begin(1, Patience.NONE, given::incrementAndGet);
        at(3000);
        tenth.done(0, 1);
        tenth.done(0, 1);
        assertThat(alarmNs).isEqualTo(Long.MAX_VALUE);
        tenth.done(1, 1);
        assertThat(alarmNs).isEqualTo(3200);
        at(3100);
        tenth.done(2, 1);
        assertThat(alarmNs).as("the third does not count anew").isEqualTo(3200);
        assertThat(tenth.decide(100).goesOn()).isTrue();
        assertThat(tenth.decide(101).goesOn()).isFalse();
    }

    /** An alarm of a round that is over, or of the one before, changes nothing. */
    @Test
    @Tag("unit")
    void anAlarmThatComesLateShouldEndNothing() {
        begin(1, Patience.NONE);
        quorum(1);
        Runnable ofFirst = alarm;
        assertThat(end.close()).isTrue();
        ofFirst.run();
        begin(2, Patience.NONE);
        ofFirst.run();
        assertThat(given).hasValue(0);
        assertThat(end.decide(1).goesOn()).isTrue();
        assertThat(end.close()).isTrue();
    }

    @Test
    @Tag("unit")
    void theLastRoundsOfAnEpochShouldMissNobody() {
        begin(1, Patience.ALL);
        quorum(1);
        at(5000);
        assertThat(end.decide(9999).goesOn()).isTrue();
        assertThat(end.close()).isTrue();
        begin(2, Patience.BATCH);
        quorum(2);
        at(9000);
        assertThat(end.decide(1).goesOn()).isFalse();
        assertThat(end.close()).isTrue();
        assertThat(given).hasValue(0);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    /** More time left, a shorter batch or fewer that are done never make a worker stop. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void theDecisionShouldBeMonotoneAndSayWhy(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int size = 1 + random.nextInt(9);
        int quorum = 1 + random.nextInt(size);
        int done = random.nextInt(size + 1);
        long since = done < quorum ? -1 : random.nextLong(1000);
        long grace = random.nextLong(1000);
        long batch = random.nextLong(1000);
        Grace decided = Grace.decide(done, quorum, size, since, grace, batch);
        assertThat(decided).isEqualTo(Grace.decide(done, quorum, size, since, grace, batch));
        assertThat(decided.why()).contains(done + " of " + size + " are done");
        assertThat(decided.goesOn())
                .isEqualTo(done < quorum || (since < grace && since + batch <= grace));
        if (decided.goesOn()) {
            assertThat(Grace.decide(done, quorum, size, since, grace + 1, batch).goesOn()).isTrue();
            assertThat(Grace.decide(done, quorum, size, since, grace, batch / 2).goesOn()).isTrue();
        }
    }
}

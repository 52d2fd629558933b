package dev.medley.kubernetes.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which job of a queue gives back its part, so that another one can begin. */
class QueueTurnsTest {
    private static final double LATER = 100;

    private static Map<String, BigDecimal> cpus(double count) {
        return Map.of("cpu", BigDecimal.valueOf(count));
    }

    private static QueueRoom room(double idle, double most) {
        return new QueueRoom(cpus(idle), Map.of(), cpus(most));
    }

    private static QuotaStand half(String key, int priority, double arrivalS) {
        return new QuotaStand(key, priority, arrivalS, 10, 1, 1, cpus(2), cpus(2.5), false);
    }

    private static QuotaStand held(String key, double arrivalS) {
        return new QuotaStand(key, 0, arrivalS, 10, 0, 2, cpus(2.5), cpus(2.5), true);
    }

    private static Optional<String> out(QuotaStand job, double idle, QuotaStand... others) {
        return QueueTurns.outBecause(job, List.of(others), room(idle, 4), LATER);
    }

    @Test
    @Tag("unit")
    void shouldKeepOutWhoComesLater() {
        assertThat(out(half("b", 0, 2), 0, half("a", 0, 1)))
                .hasValueSatisfying(why -> assertThat(why).startsWith("a comes first"));
        assertThat(out(half("a", 0, 1), 0, half("b", 0, 2))).isEmpty();
        assertThat(out(half("b", 1, 2), 0, half("a", 0, 1))).isEmpty();
        assertThat(out(half("b", 0, 1), 0, half("a", 0, 1))).isPresent();
        assertThat(out(half("b", 0, 2), 0, held("a", 1))).isEmpty();
    }

    @Test
    @Tag("unit")
    void shouldLeaveKueueTimeToLetInTheRest() {
        QuotaStand job = half("b", 0, 2);
        List<QuotaStand> others = List.of(half("a", 0, 1));
        assertThat(QueueTurns.outBecause(job, others, room(0, 4), 19)).isEmpty();
        assertThat(QueueTurns.outBecause(job, others, room(0, 4), 20)).isPresent();
    }

    @Test
    @Tag("unit")
    void shouldLetInAgainInOrderOrBesideTheOthers() {
        assertThat(out(held("b", 2), 0)).isEmpty();
        assertThat(out(held("b", 2), 2, half("a", 0, 1))).isPresent();
        assertThat(out(held("b", 2), 4.5, half("a", 0, 1))).isEmpty();
        assertThat(out(held("b", 2), 4.5, held("a", 1))).isPresent();
        assertThat(out(held("b", 2), 5, held("a", 1))).isEmpty();
    }

    /** Who asks for more than there ever is holds nothing, and keeps nobody waiting. */
    @Test
    @Tag("unit")
    void shouldKeepOutWhoCanNeverBegin() {
        QuotaStand huge = new QuotaStand("a", 0, 0, 10, 1, 1, cpus(9), cpus(9.5), false);
        assertThat(out(huge, 3))
                .hasValueSatisfying(
                        why ->
                                assertThat(why)
                                        .startsWith("it needs 9.5 of cpu to begin")
                                        .contains("never have more than 4.0 of cpu"));
        assertThat(out(half("b", 0, 2), 0, huge)).isEmpty();
        assertThat(out(held("b", 2), 0, huge)).isEmpty();
    }

    /** Whatever Kueue lets in first: all jobs that fit alone begin, one after the other. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    @Tag("property")
    void shouldLetEveryJobBegin(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int quota = 8;
        List<Parts> open = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            open.add(new Parts("job" + i, random.nextInt(2), i, random));
        }
        for (int turn = 0; !open.isEmpty(); turn++) {
            assertThat(turn).as("turns of %s, seed %d", open, seed).isLessThan(500);
            open.removeIf(job -> job.isWhole() && random.nextInt(4) == 0); // It ends.
            int idle = quota - open.stream().mapToInt(Parts::used).sum();
            Parts next = open.isEmpty() ? null : open.get(random.nextInt(open.size()));
            if (next != null && !next.isHeld) {
                idle -= next.letIn(random.nextInt(next.needs.length), idle);
            }
            for (Parts job : open) {
                List<QuotaStand> others =
                        open.stream().filter(o -> o != job).map(Parts::stand).toList();
                boolean isOut =
                        QueueTurns.outBecause(job.stand(), others, room(idle, quota), LATER)
                                .isPresent();
                job.keepOut(isOut);
            }
        }
    }

    /** A job of several Jobs, each of which has quota or not. */
    private static final class Parts {
        final String key;
        final int priority;
        final int arrival;
        final int[] needs;
        final boolean[] has;
        boolean isHeld;

        Parts(String key, int priority, int arrival, RandomGenerator random) {
            this.key = key;
            this.priority = priority;
            this.arrival = arrival;
            needs = new int[] {1, 1 + random.nextInt(4), 1 + random.nextInt(3)};
            has = new boolean[needs.length];
        }

        int letIn(int part, int idle) {
            boolean isNew = !has[part] && needs[part] <= idle;
            has[part] |= isNew;
            return isNew ? needs[part] : 0;
        }

        void keepOut(boolean isOut) {
            isHeld = isOut;
            for (int i = 0; i < has.length; i++) {
                has[i] &= !isOut;
            }
        }

        int used() {
            return sum(true);
        }

        boolean isWhole() {
            return sum(false) == 0;
        }

        private int sum(boolean of) {
            int sum = 0;
            for (int i = 0; i < needs.length; i++) {
                sum += has[i] == of ? needs[i] : 0;
            }
            return sum;
        }

        QuotaStand stand() {
            int having = 0;
            for (boolean one : has) {
                having += one ? 1 : 0;
            }
            return new QuotaStand(
                    key,
                    priority,
                    arrival,
                    0,
                    having,
                    needs.length - having,
                    cpus(sum(false)),
                    cpus(used() + sum(false)),
                    isHeld);
        }

        @Override
        public String toString() {
            return "%s %s".formatted(key, stand());
        }
    }
}

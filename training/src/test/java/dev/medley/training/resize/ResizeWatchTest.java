package dev.medley.training.resize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Member;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import dev.medley.net.control.Message.Granted;
import dev.medley.net.control.Message.Resized;
import dev.medley.profile.system.Allowance;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ResizeWatchTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final Stopped clock = new Stopped();
    private final List<Integer> used = new ArrayList<>();
    private Allowance allowance = new Allowance(8, 2.0, 1L << 30);
    private int reads;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @Test
    @Tag("unit")
    void shouldTellOnceAndChangeThreadsWhenItsGroupForms() {
        ResizeWatch watch = watch(2);
        allowance = new Allowance(8, 4.0, 1L << 30);
        assertThat(lookAfter(watch, SECOND_NS)).as("seen once").isNull();
        Resized told = lookAfter(watch, SECOND_NS);
        assertThat(told)
                .isEqualTo(
                        new Resized(new Granted(2, 1L << 30, 2), new Granted(4, 1L << 30, 4), "4"));
        watch.enter(member("2"));
        assertThat(used).as("a group that was on its way before").isEmpty();
        assertThat(lookAfter(watch, SECOND_NS)).as("it was told").isNull();
        watch.enter(member("4"));
        watch.enter(member("4"));
        assertThat(used).containsExactly(4);
        allowance = new Allowance(8, 2.0, 1L << 30);
        assertThat(lookAfter(watch, SECOND_NS)).isNull();
        assertThat(lookAfter(watch, SECOND_NS)).extracting(Resized::kernelKey).isEqualTo("2");
    }

    @Test
    @Tag("unit")
    void shouldKeepItsThreadsWhereOnlyMemoryOrAPartOfACoreIsAnother() {
        ResizeWatch watch = watch(2);
        allowance = new Allowance(8, 1.5, null);
        assertThat(lookAfter(watch, SECOND_NS)).isNull();
        Resized told = lookAfter(watch, SECOND_NS);
        assertThat(told)
                .isEqualTo(
                        new Resized(
                                new Granted(2, 1L << 30, 2),
                                new Granted(1.5, Long.MAX_VALUE, 2),
                                "2"));
        watch.enter(member("2"));
        assertThat(used).isEmpty();
    }

    @Test
    @Tag("unit")
    void shouldReadNoMoreThanOnceASecond() {
        ResizeWatch watch = watch(2);
        for (int look = 0; look < 1000; look++) {
            assertThat(lookAfter(watch, SECOND_NS / 100)).isNull();
        }
        assertThat(reads).isBetween(10, 11);
        assertThat(used).isEmpty();
    }

    /** A file that is read between two writes of it, say: what passes is not followed. */
    @Test
    @Tag("unit")
    void shouldNotFollowWhatIsSeenOnlyOnce() {
        ResizeWatch watch = watch(2);
        Allowance usual = allowance;
        allowance = new Allowance(8, 4.0, 1L << 30);
        assertThat(lookAfter(watch, SECOND_NS)).isNull();
        allowance = usual;
        assertThat(lookAfter(watch, SECOND_NS)).isNull();
        assertThat(lookAfter(watch, SECOND_NS)).isNull();
    }

    /** Whatever is granted, and whichever groups form meanwhile. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void threadsShouldBeAsTheCoordinatorKnowsThem(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int threads = 1 + random.nextInt(6);
        ResizeWatch watch = watch(threads);
        String known = "" + threads;
        for (int step = 0; step < 300; step++) {
            if (random.nextInt(10) == 0) {
                Double quota = random.nextInt(4) == 0 ? null : 0.25 * (1 + random.nextInt(40));
                allowance = new Allowance(8, quota, null);
            }
            Resized told = lookAfter(watch, SECOND_NS / 2);
            known = told == null ? known : told.kernelKey();
            if (random.nextInt(5) == 0) {
                watch.enter(member(known));
                int now = used.isEmpty() ? threads : used.get(used.size() - 1);
                assertThat(now).isBetween(1, Math.max(threads, 8));
                assertThat("" + now).isEqualTo(known);
            }
        }
    }

    private @Nullable Resized lookAfter(ResizeWatch watch, long ns) {
        clock.nowNs += ns;
        return watch.look();
    }

    private ResizeWatch watch(int threads) {
        ResizeWatch watch =
                new ResizeWatch(
                        () -> {
                            reads++;
                            return allowance;
                        },
                        threads,
                        new ResizeWatch.Kernels(Integer::toString, used::add),
                        clock);
        reads = 0;
        return watch;
    }

    private static Member member(String key) {
        return new Member(new WorkerId(1), "host", Member.NO_SITE, "127.0.0.1", 1, key);
    }

    private static final class Stopped implements Clock {
        private long nowNs;

        @Override
        public long nowNs() {
            return nowNs;
        }

        @Override
        public long wallMillis() {
            return nowNs / 1_000_000;
        }
    }
}

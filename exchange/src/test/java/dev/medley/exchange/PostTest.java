package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.time.Clock;
import dev.medley.exchange.post.Letter;
import dev.medley.exchange.post.Post;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Letters between ranks on threads, over real sockets. */
@Tag("real")
class PostTest {
    private static final int BODY_BYTES = 3 << 20;

    @Test
    void lettersShouldArriveWholeAndInOrderWhileSumsGoOn() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            List<Collective> all = form(ranks);
            List<Long> sums = ranks.play(all, PostTest::exchangeWithAll);
            assertThat(sums).containsOnly(3L * (1 + 2 + 3 + 4 + 5));
            Ranks.close(all);
        }
    }

    @Test
    void lettersShouldTakeTheWayThroughARelay() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            Group group = Ranks.hiding(ranks.apart(1), 0, 2);
            List<Collective> all = ranks.formWithPosts(group, Transport.TCP, 4096);
            List<Long> sums = ranks.play(all, PostTest::exchangeWithAll);
            assertThat(sums).containsOnly(3L * (1 + 2 + 3 + 4 + 5));
            Ranks.close(all);
        }
    }

    @Test
    void anAlarmShouldRingOnThePostsThreadUnlessAnotherTakesItsPlace() throws Exception {
        try (Post post = Post.alone(Clock.system())) {
            CountDownLatch rung = new CountDownLatch(1);
            AtomicInteger replaced = new AtomicInteger();
            long nowNs = post.clock().nowNs();
            post.alarm(nowNs + TimeUnit.HOURS.toNanos(1), replaced::incrementAndGet);
            post.alarm(
                    nowNs,
                    () -> {
                        assertThat(Thread.currentThread().getName()).startsWith("medley-post");
                        rung.countDown();
                    });
            assertThat(rung.await(120, TimeUnit.SECONDS)).isTrue();
            assertThat(replaced).hasValue(0);
        }
    }

    /** Five letters to everybody, the own rank included, each after the answer to the last. */
    private static long exchangeWithAll(Collective collective) {
        Post post = collective.post();
        AtomicLong sum = new AtomicLong();
        AtomicInteger answers = new AtomicInteger();
        long[] last = new long[post.size()];
        post.open(
                BODY_BYTES,
                (from, letter) -> {
                    if (letter.kind() == 2) {
                        answers.incrementAndGet();
                    } else {
                        assertWhole(from, letter);
                        assertThat(letter.number()).isEqualTo(++last[from]);
                        sum.addAndGet(letter.number());
                        assertThat(post.offer(from, Letter.empty(2, 1, letter.number()))).isTrue();
                    }
                    post.changed();
                });
        Span body = Span.allocate(BODY_BYTES);
        for (int number = 1; number <= 5; number++) {
            body.buffer().putInt(BODY_BYTES - 4, 100 * post.rank() + number);
            for (int to = 0; to < post.size(); to++) {
                assertThat(post.offer(to, new Letter(1, 1, number, 0.5, 2, 3, body))).isTrue();
            }
            int expected = number * post.size();
            assertThat(post.await(() -> answers.get() == expected, () -> 0)).isNull();
            collective.begin(new StepTag(1, number, 1));
            collective.sum(0, 8, ElementType.FLOAT64);
            assertThat(collective.finish()).isNull();
        }
        assertThat(post.await(() -> sum.get() == 45, () -> 0)).isNull();
        assertThat(collective.times().bytesSent()).isGreaterThan(2L * 5 * BODY_BYTES);
        return sum.get();
    }

    private static void assertWhole(int from, Letter letter) {
        assertThat(letter.weight() + letter.rate() + letter.scale()).isEqualTo(5.5);
        assertThat(letter.body().bytes()).isEqualTo(BODY_BYTES);
        assertThat(letter.body().buffer().getInt(BODY_BYTES - 4))
                .isEqualTo((int) (100L * from + letter.number()));
    }

    @Test
    void aMemberThatReadsNothingShouldHoldUpNobody() throws Exception {
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            List<Collective> all = form(ranks);
            Post sender = all.get(0).post();
            Span body = Span.allocate(64L << 20);
            Letter letter = new Letter(1, 1, 1, 0, 0, 0, body);
            assertThat(sender.offer(1, letter)).isTrue();
            assertThat(sender.offer(1, letter)).isTrue();
            assertThat(sender.offer(1, letter)).as("a third is refused").isFalse();
            assertThat(sender.offer(1, Letter.empty(1, 1, 2))).isTrue();
            AtomicInteger came = new AtomicInteger();
            Post receiver = all.get(1).post();
            receiver.open(
                    64L << 20,
                    (from, each) -> {
                        came.incrementAndGet();
                        receiver.changed();
                    });
            assertThat(receiver.await(() -> came.get() == 3, () -> 0)).isNull();
            Ranks.close(all);
        }
    }

    @Test
    void aLostMemberShouldEndAllWaitsAndBeNamed() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            List<Collective> all = form(ranks);
            CountDownLatch waiting = new CountDownLatch(2);
            List<Future<Fault>> waits =
                    List.of(all.get(0), all.get(1)).stream()
                            .map(each -> ranks.start(() -> waitInVain(each, waiting)))
                            .toList();
            waiting.await();
            all.get(2).close();
            for (Future<Fault> wait : waits) {
                Fault fault = wait.get(120, TimeUnit.SECONDS);
                assertThat(fault.who()).isEqualTo("worker-2");
            }
            assertThat(all.get(0).ended()).isNotNull();
            Ranks.close(all);
        }
    }

    @Test
    void theEndOfTheEpochShouldEndAWait() throws Exception {
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            List<Collective> all = form(ranks);
            CountDownLatch waiting = new CountDownLatch(1);
            Future<Fault> wait = ranks.start(() -> waitInVain(all.get(0), waiting));
            waiting.await();
            Fault why = new Fault(Fault.Kind.SEALED, "coordinator", "sealed");
            all.get(0).abort(why);
            assertThat(wait.get(120, TimeUnit.SECONDS)).isEqualTo(why);
            Ranks.close(all);
        }
    }

    @Test
    void theDeadlineShouldNameWhomAWaitWasFor() throws Exception {
        ExchangeOptions hasty = Ranks.options().waitingAtMost(10_000_000_000L, 100_000_000L);
        try (Ranks ranks = new Ranks(2, hasty)) {
            List<Collective> all = form(ranks);
            Fault fault = all.get(0).post().await(() -> false, () -> 1);
            assertThat(fault.who()).isEqualTo("worker-1");
            assertThat(fault.message()).contains("0.1 s");
            Ranks.close(all);
        }
    }

    private static Fault waitInVain(Collective collective, CountDownLatch waiting) {
        collective.post().open(0, (from, letter) -> {});
        waiting.countDown();
        return collective.post().await(() -> false, () -> 0);
    }

    private static List<Collective> form(Ranks ranks) throws Exception {
        Group group = ranks.everyone(1);
        return ranks.formWithPosts(group, Transport.AUTO, 4096);
    }
}

package dev.medley.tenant.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.time.Clock;
import dev.medley.tenant.audit.AuditAsk;
import dev.medley.tenant.audit.AuditLog;
import dev.medley.tenant.audit.SteadyTime;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quotas are exact, survive restarts and clocks that are put back, and say when they free. */
@Tag("real")
class QuotasTest {
    private static final long NOON_MS = 1_795_867_200_000L; // 2026-11-28T12:00:00Z
    private static final QuotaLimits LIMITS = new QuotaLimits(60, 1000, 5000, 4);

    @TempDir private Path folder;

    private static final class Hands implements Clock {
        private final AtomicLong wallMs = new AtomicLong(NOON_MS);
        private final AtomicLong ns = new AtomicLong();

        @Override
        public long nowNs() {
            return ns.get();
        }

        @Override
        public long wallMillis() {
            return wallMs.get();
        }

        void pass(long ms) {
            wallMs.addAndGet(ms);
            ns.addAndGet(ms * 1_000_000);
        }
    }

    /** How many of 100 that race are let through. */
    private static long racing(BooleanSupplier asked) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(100);
        try {
            CountDownLatch all = new CountDownLatch(100);
            List<Future<Boolean>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(
                        threads.submit(
                                () -> {
                                    all.countDown();
                                    all.await();
                                    return asked.getAsBoolean();
                                }));
            }
            long through = 0;
            for (Future<Boolean> answer : answers) {
                through += answer.get() ? 1 : 0;
            }
            return through;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldLetExactlyOneOfAHundredThroughWhenOneIsLeft() throws Exception {
        Quotas quotas = new Quotas();
        for (int i = 0; i < 59; i++) {
            assertThat(quotas.begin("acme", LIMITS, NOON_MS)).isNull();
            quotas.end("acme");
        }
        assertThat(racing(() -> quotas.begin("acme", LIMITS, NOON_MS) == null)).isEqualTo(1);
        assertThat(quotas.charge("acme", LIMITS, 990, 100, NOON_MS)).isNull();
        assertThat(racing(() -> quotas.charge("acme", LIMITS, 10, 1, NOON_MS) == null))
                .isEqualTo(1);
        assertThat(racing(() -> quotas.begin("other", LIMITS, NOON_MS) == null)).isEqualTo(4);
    }

    @Test
    void shouldSayWhichLimitHowMuchIsUsedAndWhenItFrees() {
        Quotas quotas = new Quotas();
        QuotaLimits one = new QuotaLimits(1, 1000, 5000, 1);
        assertThat(quotas.begin("acme", one, NOON_MS + 20_000)).isNull();
        assertThat(quotas.begin("acme", one, NOON_MS + 20_000))
                .isEqualTo(
                        new QuotaRefusal(
                                "at most 1 requests a minute: 1 are used and this takes 1; the"
                                        + " limit frees at 2026-11-28T12:01:00Z",
                                40));
        assertThat(quotas.begin("acme", one, NOON_MS + 60_000).why())
                .contains("at most 1 requests at the same time");
        assertThat(quotas.charge("acme", one, 1001, 1, NOON_MS).why())
                .isEqualTo(
                        "at most 1,000 rows a day: 0 are used and this takes 1,001; the limit frees"
                                + " at 2026-11-29T00:00:00Z");
        assertThat(quotas.charge("acme", one, 1, 5001, NOON_MS).why()).contains("bytes a day");
        assertThat(quotas.charge("acme", one, 1000, 5000, NOON_MS)).isNull();
        assertThat(quotas.charge("acme", one, 1, 0, NOON_MS)).isNotNull();
        assertThat(quotas.charge("acme", one, 1, 0, NOON_MS + 12 * 3_600_000)).isNull();
    }

    @Test
    void shouldCountOnAfterARestart() throws Exception {
        Path file = folder.resolve("audit.jsonl");
        Hands clock = new Hands();
        AuditAsk ask = new AuditAsk("acme", "get customers.csv", "customers", "p");
        try (AuditLog log = AuditLog.open(file, clock, entry -> {})) {
            for (int i = 0; i < 59; i++) {
                long began = log.began(ask, "");
                log.sends(began, ask, 10, 20);
            }
        }
        clock.pass(-3_600_000); // Put back.
        Quotas quotas = new Quotas();
        try (AuditLog log = AuditLog.open(file, clock, quotas::count)) {
            SteadyTime time = log.time();
            assertThat(quotas.begin("acme", LIMITS, time.nowMs())).isNull();
            assertThat(quotas.begin("acme", LIMITS, time.nowMs())).isNotNull();
            assertThat(quotas.charge("acme", LIMITS, 411, 0, time.nowMs())).isNotNull();
            assertThat(quotas.charge("acme", LIMITS, 410, 0, time.nowMs())).isNull();
            clock.pass(60_000);
            assertThat(quotas.begin("acme", LIMITS, time.nowMs())).isNull();
        }
    }

    @Test
    void shouldNotGrantAnewWhenAClockIsPutBackAndGoOnAtItsPace() {
        Hands clock = new Hands();
        SteadyTime time = new SteadyTime(clock, 0);
        clock.wallMs.addAndGet(-86_400_000);
        assertThat(time.nowMs()).isEqualTo(NOON_MS);
        clock.pass(5_000);
        assertThat(time.nowMs()).isEqualTo(NOON_MS + 5_000);
        clock.wallMs.set(NOON_MS + 90_000);
        assertThat(time.nowMs()).isEqualTo(NOON_MS + 90_000);
    }

    @Test
    void shouldServeAnotherBeforeALongQueueOfOne() {
        Queue<Runnable> threads = new ArrayDeque<>();
        List<String> order = new ArrayList<>();
        CallerTurns turns = new CallerTurns(4, 2, 64, threads::add);
        for (int i = 0; i < 50; i++) {
            assertThat(turns.submit("noisy", () -> order.add("noisy"))).isTrue();
        }
        assertThat(threads).hasSize(2); // Of four: the others are for whoever comes.
        assertThat(turns.submit("quiet", () -> order.add("quiet"))).isTrue();
        assertThat(threads).hasSize(3);
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
        assertThat(order.indexOf("quiet")).isEqualTo(2); // Behind what ran already.
        assertThat(order).hasSize(51);
    }

    @Test
    void shouldTakeTurnsWhenAllThreadsAreTaken() {
        Queue<Runnable> threads = new ArrayDeque<>();
        List<String> order = new ArrayList<>();
        CallerTurns turns = new CallerTurns(1, 1, 3, threads::add);
        for (String caller : List.of("a", "a", "a", "a", "b", "b", "c")) {
            turns.submit(caller, () -> order.add(caller));
        }
        assertThat(turns.submit("a", () -> order.add("a"))).isFalse();
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
        assertThat(order).containsExactly("a", "a", "b", "c", "a", "b", "a");
    }

    @Test
    void shouldLoseNoPlaceWhenATaskFailsOrNoThreadTakesIt() {
        Queue<Runnable> threads = new ArrayDeque<>();
        AtomicLong refusals = new AtomicLong(1);
        CallerTurns turns =
                new CallerTurns(
                        1,
                        1,
                        3,
                        task -> {
                            if (refusals.getAndDecrement() > 0) {
                                throw new RejectedExecutionException();
                            }
                            threads.add(task);
                        });
        List<String> order = new ArrayList<>();
        assertThatThrownBy(() -> turns.submit("a", () -> order.add("lost")))
                .isInstanceOf(RejectedExecutionException.class);
        turns.submit(
                "a",
                () -> {
                    throw new StackOverflowError();
                });
        turns.submit("b", () -> order.add("b"));
        assertThatThrownBy(() -> threads.remove().run()).isInstanceOf(StackOverflowError.class);
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
        assertThat(order).containsExactly("b");
    }
}

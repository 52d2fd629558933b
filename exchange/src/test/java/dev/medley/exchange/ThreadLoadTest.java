package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real")
class ThreadLoadTest {
    private static final long WORK_NS = 50_000_000;

    @BeforeEach
    void needsAKernelThatCounts() {
        Assumptions.assumeTrue(
                Files.isReadable(Path.of("/proc/thread-self/schedstat")),
                "skipped: a kernel without /proc/thread-self/schedstat");
    }

    @Test
    void shouldCountWorkAndNotWaiting() throws Exception {
        try (ThreadLoad load = ThreadLoad.ofThisThread()) {
            assertThat(load).isNotNull();
            long atRestNs = load.busyNs();
            Thread other = new Thread(ThreadLoadTest::work);
            other.start();
            other.join();
            long waitedNs = load.busyNs() - atRestNs;
            work();
            long workedNs = load.busyNs() - atRestNs - waitedNs;
            assertThat(workedNs).isGreaterThanOrEqualTo(WORK_NS / 2);
            assertThat(waitedNs).as("of a wait for another thread").isLessThan(workedNs);
        }
    }

    @Test
    void shouldCountOfAnotherThreadAndKeepWhatItHadCountedWhenThatHasEnded() throws Exception {
        AtomicReference<ThreadLoad> load = new AtomicReference<>();
        CountDownLatch hasWorked = new CountDownLatch(1);
        CountDownLatch isRead = new CountDownLatch(1);
        Thread worker =
                new Thread(
                        () -> {
                            load.set(ThreadLoad.ofThisThread());
                            work();
                            hasWorked.countDown();
                            try {
                                isRead.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        worker.start();
        hasWorked.await();
        long busyNs = load.get().busyNs();
        isRead.countDown();
        worker.join();
        assertThat(busyNs).isGreaterThanOrEqualTo(WORK_NS / 2);
        assertThat(load.get().busyNs()).isGreaterThanOrEqualTo(busyNs);
        load.get().close();
    }

    /** So long on the processor, not only on the clock. */
    private static void work() {
        var threads = java.lang.management.ManagementFactory.getThreadMXBean();
        long untilNs = threads.getCurrentThreadCpuTime() + WORK_NS;
        while (threads.getCurrentThreadCpuTime() < untilNs) {
            Thread.onSpinWait();
        }
    }
}

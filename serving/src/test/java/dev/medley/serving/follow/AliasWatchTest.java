package dev.medley.serving.follow;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("unit")
@Timeout(60)
class AliasWatchTest {
    @Test
    void shouldLookAfterOthersAndEndBesideOneThatHangs() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch looks = new CountDownLatch(2);
        List<Runnable> all = List.of(() -> hang(never), looks::countDown);
        try (AliasWatch unused = AliasWatch.of(all, 1)) {
            looks.await();
        }
        never.countDown();
    }

    private static void hang(CountDownLatch never) {
        try {
            never.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

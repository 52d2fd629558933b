package dev.medley.api.predict;

import dev.medley.control.launcher.Launcher;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Remembers how the last of the workers ended that another launcher starts, for the message to the
 * user: a connection breaks before anybody knows why.
 *
 * <p>Thread: any.
 */
final class LastExit implements Launcher {
    private static final long PATIENCE_S = 30;

    private final Launcher launcher;
    private final CountDownLatch all;
    private volatile @Nullable Exit last;

    /** Of so many workers. */
    LastExit(Launcher launcher, int workers) {
        this.launcher = launcher;
        this.all = new CountDownLatch(workers);
    }

    /** How the last one ended, when all have; null if that is not known. */
    @Nullable Exit last() throws InterruptedException {
        return all.await(PATIENCE_S, TimeUnit.SECONDS) ? last : null;
    }

    @Override
    public void launch(
            int launch, InetSocketAddress coordinator, String token, ExitListener listener) {
        try {
            launcher.launch(launch, coordinator, token, exit -> exited(exit, listener));
        } catch (LaunchException e) {
            all.countDown();
            throw e;
        }
    }

    private void exited(Exit exit, ExitListener listener) {
        last = exit;
        all.countDown();
        listener.exited(exit);
    }

    @Override
    public void kill(int launch) {
        launcher.kill(launch);
    }

    @Override
    public void close() {
        launcher.close();
    }
}

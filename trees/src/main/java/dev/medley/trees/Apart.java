package dev.medley.trees;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Does work on a thread that is in no group. XGBoost asks all members of a group for the width of
 * each new matrix; a member that evaluates by itself would wait for others that do not.
 */
final class Apart implements AutoCloseable {
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    work -> {
                        Thread made = new Thread(work, "trees-apart");
                        made.setDaemon(true);
                        return made;
                    });

    /**
     * The same on the caller's thread where that is in no group, so that several compute at once.
     * XGBoost draws by each thread's own generator: this is for what draws nothing.
     */
    <T> T callHere(Supplier<T> work) {
        return TreeGroup.isOfThisThread() ? call(work) : work.get();
    }

    /** What {@code work} gives, or throws. */
    <T> T call(Supplier<T> work) {
        Future<T> result = thread.submit(work::get);
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException e) {
                    isInterrupted = true; // Native work cannot be left half done.
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failed) {
                throw failed;
            } else if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}

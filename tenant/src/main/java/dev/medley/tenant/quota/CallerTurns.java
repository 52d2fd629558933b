package dev.medley.tenant.quota;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Gives threads to callers in turn. Of one caller only so many tasks run at the same time, and only
 * so many wait; whoever waits is served caller by caller, so that another's long queue stands
 * before nobody.
 *
 * <p>Thread: any.
 */
public final class CallerTurns {
    private final int threads;
    private final int threadsOfOne;
    private final int waitingOfOne;
    private final Executor executor;

    /** Of callers that wait, in the order of their turns. */
    private final Map<String, Queue<Runnable>> waiting = new LinkedHashMap<>();

    private final Map<String, Integer> running = new HashMap<>();
    private int runningOfAll;

    /**
     * Runs tasks on {@code executor}.
     *
     * @param threads that run tasks of all callers
     * @param threadsOfOne of them, for one caller
     * @param waitingOfOne tasks of one caller; more are refused
     */
    public CallerTurns(int threads, int threadsOfOne, int waitingOfOne, Executor executor) {
        this.threads = threads;
        this.threadsOfOne = threadsOfOne;
        this.waitingOfOne = waitingOfOne;
        this.executor = executor;
    }

    /**
     * Runs a task when its caller's turn comes.
     *
     * @return false if too many of the caller's wait
     */
    public boolean submit(String caller, Runnable task) {
        synchronized (this) {
            Queue<Runnable> own = waiting.computeIfAbsent(caller, name -> new ArrayDeque<>());
            if (own.size() >= waitingOfOne) {
                return false;
            }
            own.add(task);
        }
        startNext();
        return true;
    }

    private void startNext() {
        for (Turn turn = next(); turn != null; turn = next()) {
            Turn now = turn;
            try {
                executor.execute(() -> run(now));
            } catch (RuntimeException | Error e) { // Its place is for the next.
                ended(now.caller());
                throw e;
            }
        }
    }

    private void run(Turn now) {
        try {
            now.task().run();
        } finally {
            ended(now.caller());
            startNext();
        }
    }

    private record Turn(String caller, Runnable task) {}

    private synchronized @Nullable Turn next() {
        if (runningOfAll >= threads) {
            return null;
        }
        String caller = nextCaller();
        Queue<Runnable> own = caller == null ? null : waiting.remove(caller);
        if (caller == null || own == null) {
            return null;
        }
        Runnable task = own.remove();
        if (!own.isEmpty()) {
            waiting.put(caller, own); // Behind all others.
        }
        running.merge(caller, 1, Integer::sum);
        runningOfAll++;
        return new Turn(caller, task);
    }

    private @Nullable String nextCaller() {
        for (Map.Entry<String, Queue<Runnable>> each : waiting.entrySet()) {
            if (!each.getValue().isEmpty()
                    && running.getOrDefault(each.getKey(), 0) < threadsOfOne) {
                return each.getKey();
            }
        }
        return null;
    }

    private synchronized void ended(String caller) {
        running.computeIfPresent(caller, (name, n) -> n == 1 ? null : n - 1);
        runningOfAll--;
    }
}

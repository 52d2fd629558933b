package dev.medley.control.coordinator;

import static dev.medley.control.coordinator.Arrivals.Stage.FETCHING;
import static dev.medley.control.coordinator.Arrivals.Stage.STARTING;

import dev.medley.base.time.Clock;
import dev.medley.control.watch.RunWatcher.LaunchCause;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts workers, and keeps which are not ready yet and how many more may be started. Owned by the
 * coordinator's agent.
 */
final class Starts {
    private static final long LEAST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MOST_PAUSE_NS = TimeUnit.SECONDS.toNanos(30);

    private final Machines machines;
    private final Clock clock;
    private final Arrivals arrivals;
    private final Map<Integer, Long> begunNs = new HashMap<>();
    private final Map<Integer, LaunchCause> causes = new HashMap<>(); // Of those under way.
    private final Deque<Long> triesNs = new ArrayDeque<>(); // When to start what could not be.
    private int launches;
    private int restartsLeft;
    private long pauseNs = LEAST_PAUSE_NS;

    Starts(CoordinatorOptions options, Machines machines, Clock clock) {
        this.machines = machines;
        this.clock = clock;
        this.arrivals = new Arrivals(options.patience());
        this.restartsLeft = options.cluster().restarts();
    }

    /** A start of a worker, and whether there is room for it. */
    record Start(int launch, boolean hasRoom) {}

    /** Starts one more worker. */
    Start next(LaunchCause why) {
        int launch = ++launches;
        boolean hasRoom = machines.launch(launch);
        if (hasRoom) {
            long nowNs = clock.awakeNs();
            begunNs.put(launch, nowNs);
            causes.put(launch, why);
            arrivals.begin(launch, machines.areOffered() ? FETCHING : STARTING, nowNs);
        }
        return new Start(launch, hasRoom);
    }

    /** A worker was started; why. */
    LaunchCause launched(int launch) {
        pauseNs = LEAST_PAUSE_NS;
        return Objects.requireNonNull(causes.remove(launch));
    }

    /** A worker could not be started. */
    void notLaunched(int launch) {
        machines.notLaunched(launch);
        begunNs.remove(launch);
        causes.remove(launch);
        boolean unused = arrivals.remove(launch);
    }

    /** Another try, after a pause that doubles each time. */
    void tryLater() {
        triesNs.add(clock.awakeNs() + pauseNs);
        pauseNs = Math.min(2 * pauseNs, MOST_PAUSE_NS);
    }

    /** Whether it is time for such a try, which is then the caller's to make. */
    boolean isDue(long nowNs) {
        Long next = triesNs.peek();
        return next != null && nowNs >= next && triesNs.remove(next);
    }

    /** The number of the newest start. */
    int newest() {
        return launches;
    }

    /** Uses up one restart; false if there is none left. */
    boolean takeRestart() {
        if (restartsLeft == 0) {
            return false;
        }
        restartsLeft--;
        return true;
    }

    /** When a worker was started. */
    long begunNs(int launch) {
        return begunNs.getOrDefault(launch, clock.awakeNs());
    }

    /** A machine has what a worker needs, and the worker's process has begun. */
    void processBegan(int launch) {
        arrivals.started(launch, clock.awakeNs());
    }

    /** Whether that one was started and has not said hello. */
    boolean isAwaited(int launch) {
        return arrivals.isAwaited(launch);
    }

    /** A worker has said hello, and loads. */
    void greeted(int launch) {
        arrivals.greeted(launch, clock.awakeNs());
    }

    /** Whether that one has said hello and is not ready. */
    boolean isLoading(int launch) {
        return arrivals.isLoading(launch);
    }

    /** A worker that loads shows that it gets on. */
    void moved(int launch) {
        arrivals.moved(launch, clock.awakeNs());
    }

    /** A worker is ready, or lost: it is not waited for. */
    void arrived(int launch) {
        boolean unused = arrivals.remove(launch);
    }

    /** A process ended; whether it had not said hello. It is not waited for any more. */
    boolean endedBeforeHello(int launch) {
        return arrivals.remove(launch);
    }

    /** How many were started and have not said hello. */
    int awaited() {
        return arrivals.awaited() + triesNs.size();
    }

    /** A worker that should have come further by now, not waited for any more; null if none. */
    Arrivals.@Nullable Overdue overdue(long nowNs) {
        return arrivals.overdue(nowNs);
    }

    /** Workers that have been on their way for long, each now and then. */
    List<Arrivals.Slow> slow(long nowNs) {
        return arrivals.slow(nowNs);
    }
}

package dev.medley.benchmarks.serving;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.util.List;

/**
 * Makes load and prints one line of JSON. With a rate it is an open loop, as wrk2's: a request's
 * latency counts from when it was due, so a server that stalls is charged for all that came in
 * between, and not for one.
 */
public final class LoadGenerator {
    /** Requests that are not answered by then are counted as failed. */
    private static final long PATIENCE_NS = 40_000_000_000L;

    private static final long WAIT_NS = 10_000_000;

    private final LoadOptions options;
    private final Clock clock;

    private LoadGenerator(LoadOptions options, Clock clock) {
        this.options = options;
        this.clock = clock;
    }

    /** See benchmarks/serving/README.md for its options. */
    public static void main(String[] words) throws IOException {
        try {
            LoadOptions options = LoadOptions.parse(List.of(words));
            System.out.println(new LoadGenerator(options, Clock.system()).run().line());
        } catch (ConfigException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
        System.exit(0); // Armeria's threads would stay.
    }

    private LoadTally run() throws IOException {
        boolean isGrpc = options.url().getScheme().equals("grpc");
        try (CallPool pool = isGrpc ? new GrpcPool(options, clock) : new HttpPool(options, clock)) {
            long beginNs = clock.nowNs();
            long fromNs = beginNs + (long) (options.warmSeconds() * 1e9);
            long untilNs = fromNs + (long) (options.seconds() * 1e9);
            LoadTally tally = new LoadTally(fromNs, untilNs);
            if (options.perSecond() > 0) {
                open(pool, tally, beginNs, untilNs);
            } else {
                closed(pool, tally, untilNs);
            }
            while (pool.underWay() > 0 && clock.nowNs() < untilNs + PATIENCE_NS) {
                pool.poll(WAIT_NS, tally);
            }
            for (int i = 0; i < pool.underWay(); i++) {
                tally.broken(fromNs);
            }
            return tally;
        }
    }

    /** Requests come when they are due; those for which no connection is free wait for one. */
    private void open(CallPool pool, LoadTally tally, long beginNs, long untilNs) {
        DueTimes times = new DueTimes(options.arrivals(), options.perSecond(), options.seed());
        long dueNs = beginNs + times.nextNs();
        while (dueNs < untilNs) {
            long nowNs = clock.nowNs();
            while (dueNs <= nowNs && dueNs < untilNs && pool.hasRoom()) {
                pool.send(dueNs);
                dueNs = beginNs + times.nextNs();
            }
            if (nowNs > untilNs + PATIENCE_NS) {
                tally.broken(dueNs); // Nothing is answered any more.
                return;
            }
            pool.poll(pool.hasRoom() ? Math.max(0, dueNs - clock.nowNs()) : WAIT_NS, tally);
        }
    }

    /** As many as are answered. */
    private void closed(CallPool pool, LoadTally tally, long untilNs) {
        while (clock.nowNs() < untilNs) {
            while (pool.hasRoom()) {
                pool.send(clock.nowNs());
            }
            pool.poll(WAIT_NS, tally);
        }
    }
}

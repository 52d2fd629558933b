package dev.medley.plan.simulator.round;

import dev.medley.base.round.Clocks;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Sync;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Decides whom the servers of one site answer in a round, and when they forward. */
final class SiteRound {
    private final Ways ways;
    private final AsyncSpec spec;
    private final Clocks clocks;
    private final Deque<Integer> unanswered = new ArrayDeque<>();

    /** By home: clocks that were forwarded to it. */
    private final long[] forwarded;

    /** By home: clocks that all sites had forwarded when it answered last. */
    private final long[] slowest;

    private final boolean[] isAwaited;
    private int awaited;
    private long clock;

    /** Where what a site decides is done. */
    interface Ways {
        /** Forwards the pushes up to a clock to a home. */
        void forward(int home, long clock);

        /** A worker of the site gets the parameters. */
        void answer(int mate);

        /** A worker of the site has given all. */
        void finished(int mate);
    }

    /**
     * A round that begins.
     *
     * @param clocks of the workers of the site
     * @param homes of parameters, one at each site
     */
    SiteRound(Ways ways, AsyncSpec spec, Clocks clocks, int homes) {
        this.ways = ways;
        this.spec = spec;
        this.clocks = clocks;
        forwarded = new long[homes];
        slowest = new long[homes];
        isAwaited = new boolean[homes];
    }

    /** A worker has pushed. */
    void pushed(int mate) {
        clocks.moved(mate, clocks.pushed(mate) + 1);
        unanswered.add(mate);
        goOn();
    }

    /** A home has answered what was forwarded to it last. */
    void answered(int home, long ofClock, long ofAll) {
        isAwaited[home] = false;
        slowest[home] = ofAll;
        if (--awaited == 0) {
            clock = ofClock;
        }
        goOn();
    }

    private void goOn() {
        do {
            answerMates();
        } while (spec.sync() == Sync.BULK ? forwardClock() : forwardMerged());
    }

    private void answerMates() {
        for (int i = unanswered.size(); i > 0; i--) {
            int mate = unanswered.remove();
            if (clocks.pushed(mate) == clocks.pushes(mate)) {
                ways.finished(mate); // Nothing is asked of the last answer.
            } else if (mayGoOn(mate)) {
                ways.answer(mate);
            } else {
                unanswered.add(mate);
            }
        }
    }

    private boolean mayGoOn(int mate) {
        return switch (spec.sync()) {
            case BULK -> clocks.mayBeginInOrder(mate, clock);
            case STALE -> clocks.reached(mate) <= reachedByAll() + spec.staleness();
            case ASYNC -> true;
        };
    }

    /** Clocks that all sites have given, as far as their homes have told. */
    private long reachedByAll() {
        return Arrays.stream(slowest).min().orElse(0);
    }

    /** The next clock, if it is complete and the one before is applied. */
    private boolean forwardClock() {
        if (awaited > 0 || clock == clocks.total() || !clocks.isComplete(clock + 1)) {
            return false;
        }
        for (int home = 0; home < slowest.length; home++) {
            forward(home, clock + 1);
        }
        return true;
    }

    /** Forwards all pushes so far, where something is due and what went before is answered. */
    private boolean forwardMerged() {
        long reached = spec.sync() == Sync.STALE ? clocks.reachedByAll() : clocks.reachedTogether();
        boolean isAny = false;
        for (int home = 0; home < slowest.length; home++) {
            if (!isAwaited[home] && reached > forwarded[home]) {
                forward(home, reached);
                isAny = true;
            }
        }
        return isAny;
    }

    private void forward(int home, long upTo) {
        isAwaited[home] = true;
        awaited++;
        forwarded[home] = upTo;
        ways.forward(home, upTo);
    }
}

package dev.medley.plan.simulator.round;

import dev.medley.base.round.Clocks;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Sync;

/**
 * Decides when the servers of a part of the parameters answer each site in a round. Each site is
 * one worker to them.
 */
final class HomeRound {
    private final Answers answers;
    private final AsyncSpec spec;
    private final Clocks clocks;
    private final boolean[] isUnanswered;
    private long clock;
    private boolean isDone;

    /** What an answer carries. */
    enum Body {
        PARAMETERS,
        /** To the last of a round: all take the sum then. */
        NOTHING
    }

    /** Where what a home decides is done. */
    interface Answers {
        /**
         * Answers a site.
         *
         * @param clock that it had pushed
         * @param slowest clocks that all sites have pushed
         */
        void answer(int site, long clock, long slowest, Body body);

        /** All of the round is applied. */
        void finished();
    }

    /**
     * A round that begins.
     *
     * @param clocks of the sites
     */
    HomeRound(Answers answers, AsyncSpec spec, Clocks clocks, int sites) {
        this.answers = answers;
        this.spec = spec;
        this.clocks = clocks;
        isUnanswered = new boolean[sites];
    }

    /** A site has pushed all up to a clock of its own. */
    void pushed(int site, long upTo) {
        isUnanswered[site] = true;
        clocks.moved(site, upTo);
        answerAll();
        while (spec.sync() == Sync.BULK && clock < clocks.total() && clocks.isComplete(clock + 1)) {
            clock++;
            answerAll();
        }
        if (!isDone && clocks.isDone()) {
            isDone = true;
            answers.finished();
        }
    }

    private void answerAll() {
        for (int site = 0; site < isUnanswered.length; site++) {
            if (isUnanswered[site] && mayGoOn(site)) {
                isUnanswered[site] = false;
                boolean isLast = clocks.pushed(site) == clocks.pushes(site);
                answers.answer(
                        site,
                        clocks.pushed(site),
                        clocks.pushed(clocks.slowest()),
                        isLast ? Body.NOTHING : Body.PARAMETERS);
            }
        }
    }

    private boolean mayGoOn(int site) {
        boolean isLast = clocks.pushed(site) == clocks.pushes(site);
        return switch (spec.sync()) {
            case BULK -> isLast || clocks.mayBeginInOrder(site, clock);
            case STALE -> isLast || clocks.mayBegin(site, spec.staleness());
            case ASYNC -> true;
        };
    }
}

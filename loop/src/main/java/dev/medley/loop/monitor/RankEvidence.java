package dev.medley.loop.monitor;

import java.util.Arrays;
import java.util.List;

/**
 * Adds up what bets on ranks have won: for every window in which a change may have begun, every bet
 * from there on. For evenly spread, independent ranks the sum with {@link Promise#EVER} is a
 * martingale that starts at 1, so that it ever passes 1/level with probability level at most
 * (Ville); with {@link Promise#PER_WINDOW} it grows by 1 a window on average, an e-detector (Shin,
 * Ramdas and Rinaldo, 2024).
 */
final class RankEvidence {
    private final Bets kind;
    private final Promise promise;

    /** Of each bet, over all beginnings. */
    private final double[] logs;

    private long windows;

    RankEvidence(Bets kind, Promise promise) {
        this(kind, promise, new double[0], 0);
    }

    /** As it was after some windows. */
    RankEvidence(Bets kind, Promise promise, double[] logs, long windows) {
        this.kind = kind;
        this.promise = promise;
        this.logs = windows == 0 ? new double[kind.list().size()] : logs.clone();
        this.windows = windows;
        if (windows == 0) {
            Arrays.fill(this.logs, Double.NEGATIVE_INFINITY);
        }
    }

    /** One more window, as its ranks by cell. */
    void add(int[] counts) {
        windows++;
        double begins = Math.log(promise.weight(windows));
        List<Bet> bets = kind.list();
        for (int i = 0; i < logs.length; i++) {
            logs[i] = sum(logs[i], begins) + bets.get(i).log(counts);
        }
    }

    /** The logarithm of the evidence. */
    double log() {
        double sum = Math.log(promise.rest(windows));
        List<Bet> bets = kind.list();
        for (int i = 0; i < logs.length; i++) {
            sum = sum(sum, logs[i] + Math.log(bets.get(i).prior()));
        }
        return sum;
    }

    /** What the bet that won most says. */
    String saying() {
        List<Bet> bets = kind.list();
        int best = 0;
        for (int i = 1; i < logs.length; i++) {
            best =
                    logs[i] + Math.log(bets.get(i).prior())
                                    > logs[best] + Math.log(bets.get(best).prior())
                            ? i
                            : best;
        }
        return bets.get(best).saying();
    }

    double[] logs() {
        return logs.clone();
    }

    long windows() {
        return windows;
    }

    private static double sum(double a, double b) {
        double most = Math.max(a, b);
        return Double.isInfinite(most) ? most : most + Math.log1p(Math.exp(-Math.abs(a - b)));
    }
}

package dev.medley.loop.monitor;

import dev.medley.base.ConfigException;
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

    /** As it was after some windows; before the first there are no logs. */
    RankEvidence(Bets kind, Promise promise, List<Double> logs, long windows) {
        this.kind = kind;
        this.promise = promise;
        this.logs = new double[kind.list().size()];
        this.windows = windows;
        ConfigException.check(
                windows == 0 || logs.size() == this.logs.length,
                "the kept state has %d bets where there are %d: begin anew with the reference",
                logs.size(),
                this.logs.length);
        Arrays.setAll(this.logs, i -> windows == 0 ? Double.NEGATIVE_INFINITY : logs.get(i));
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
        List<Bet> bets = kind.list();
        double most = Math.log(promise.rest(windows));
        for (int i = 0; i < logs.length; i++) {
            most = Math.max(most, logs[i] + bets.get(i).logPrior());
        }
        if (Double.isInfinite(most)) {
            return most;
        }
        double sum = Math.exp(Math.log(promise.rest(windows)) - most);
        for (int i = 0; i < logs.length; i++) {
            sum += Math.exp(logs[i] + bets.get(i).logPrior() - most);
        }
        return most + Math.log(sum);
    }

    /** What the bet that won most says. */
    String saying() {
        List<Bet> bets = kind.list();
        int best = 0;
        for (int i = 1; i < logs.length; i++) {
            best =
                    logs[i] + bets.get(i).logPrior() > logs[best] + bets.get(best).logPrior()
                            ? i
                            : best;
        }
        return bets.get(best).saying();
    }

    List<Double> logs() {
        return windows == 0 ? List.of() : Arrays.stream(logs).boxed().toList();
    }

    private static double sum(double a, double b) {
        double most = Math.max(a, b);
        return Double.isInfinite(most) ? most : most + Math.log1p(Math.exp(-Math.abs(a - b)));
    }
}

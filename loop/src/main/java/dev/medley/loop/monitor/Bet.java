package dev.medley.loop.monitor;

import org.hipparchus.distribution.continuous.NormalDistribution;

/**
 * Bets on ranks that are no longer spread evenly: by how much it multiplies for a rank in each
 * cell. Evenly spread ranks multiply it by 1 on average, so that it is worth nothing where nothing
 * has changed.
 */
final class Bet {
    private static final NormalDistribution NORMAL = new NormalDistribution();

    private final double[] logs;
    private final double prior;
    private final double logPrior;
    private final String saying;

    private Bet(double[] logs, double prior, String saying) {
        this.logs = logs;
        this.prior = prior;
        this.logPrior = Math.log(prior);
        this.saying = saying;
    }

    /** The same bet with another share of the start. */
    Bet with(double share) {
        return new Bet(logs, share, saying);
    }

    /** Its share of what all bets start with. */
    double prior() {
        return prior;
    }

    /** The logarithm of that share. */
    double logPrior() {
        return logPrior;
    }

    /** How rows have changed if it is right. */
    String saying() {
        return saying;
    }

    /**
     * On ranks of a normal column after a shift and a stretch, in its deviations. For other columns
     * it means the same of their quantiles.
     */
    static Bet normal(double shift, double stretch, double prior, String saying) {
        NormalDistribution after = new NormalDistribution(shift, stretch);
        double[] logs = new double[RankCells.count()];
        for (int cell = 0; cell < logs.length; cell++) {
            double width = RankCells.end(cell) - RankCells.begin(cell);
            double share =
                    after.cumulativeProbability(score(RankCells.end(cell)))
                            - after.cumulativeProbability(score(RankCells.begin(cell)));
            logs[cell] = Math.log(Math.max(share, 1e-9 * width) / width);
        }
        return new Bet(fair(logs), prior, saying);
    }

    private static double score(double rank) {
        return rank <= 0
                ? Double.NEGATIVE_INFINITY
                : rank >= 1 ? Double.POSITIVE_INFINITY : NORMAL.inverseCumulativeProbability(rank);
    }

    /** On the odds of ranks between two edges of cells, which become {@code odds} as large. */
    static Bet odds(double begin, double end, double odds, double prior, String saying) {
        double before = end - begin;
        double after = odds * before / (1 - before + odds * before);
        double[] logs = new double[RankCells.count()];
        for (int cell = 0; cell < logs.length; cell++) {
            boolean isInside = RankCells.begin(cell) >= begin && RankCells.end(cell) <= end;
            logs[cell] = Math.log(isInside ? after / before : (1 - after) / (1 - before));
        }
        return new Bet(fair(logs), prior, saying);
    }

    /** With an expectation of 1 to the last bits. */
    private static double[] fair(double[] logs) {
        double mean = 0;
        for (int cell = 0; cell < logs.length; cell++) {
            mean += (RankCells.end(cell) - RankCells.begin(cell)) * Math.exp(logs[cell]);
        }
        for (int cell = 0; cell < logs.length; cell++) {
            logs[cell] -= Math.log(mean);
        }
        return logs;
    }

    /** The logarithm of its factor for ranks in cells. */
    double log(int[] counts) {
        double sum = 0;
        for (int cell = 0; cell < counts.length; cell++) {
            sum += counts[cell] * logs[cell];
        }
        return sum;
    }
}

package dev.medley.loop.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Holds the bets of a kind of ranks. Their priors sum to 1, so that no size or place of a change
 * has to be said before; the price is the logarithm of a prior, in rows.
 */
enum Bets {
    /** Shifts and stretches of numbers, and quantiles that gain or lose rows. */
    NUMBERS(numbers()),
    /** Runs of buckets that gain or lose rows. */
    SHARES(shares()),
    /** More or fewer rows at the upper end. */
    UPPER_END(upperEnd());

    @SuppressWarnings("ImmutableEnumChecker") // Nobody writes to the list or to a bet.
    private final List<Bet> bets;

    Bets(List<Bet> bets) {
        double all = bets.stream().mapToDouble(Bet::prior).sum();
        this.bets = bets.stream().map(b -> b.with(b.prior() / all)).toList();
    }

    List<Bet> list() {
        return bets;
    }

    private static List<Bet> numbers() {
        List<Bet> bets = new ArrayList<>();
        for (double shift : new double[] {0.06, 0.12, 0.2, 0.3, 0.45, 0.7, 1.2, 2.5}) {
            bets.add(
                    Bet.normal(
                            shift, 1, 1, said("values are about %.2f deviations higher", shift)));
            bets.add(
                    Bet.normal(
                            -shift, 1, 1, said("values are about %.2f deviations lower", shift)));
        }
        for (double stretch : new double[] {0.4, 0.6, 0.75, 0.87, 1.13, 1.3, 1.6, 2.2}) {
            String saying = said("values are spread about %.2f times as far", stretch);
            bets.add(Bet.normal(0, stretch, 1, saying));
        }
        for (int length : new int[] {1, 2, 4, 8, 16}) {
            int step = Math.max(1, length / 2);
            for (int begin = 0; begin + length <= RankCells.STEPS; begin += step) {
                double prior = 1.6 * step / RankCells.STEPS;
                addOdds(bets, begin, length, new double[] {0.5, 1.6, 3, 8}, prior);
            }
        }
        for (double fine : RankCells.FINE) {
            for (double odds : new double[] {4, 16, 64}) {
                bets.add(Bet.odds(0, fine, odds, 0.3, "many values are below nearly all before"));
                bets.add(
                        Bet.odds(
                                1 - fine, 1, odds, 0.3, "many values are above nearly all before"));
            }
        }
        return bets;
    }

    private static void addOdds(
            List<Bet> bets, int begin, int length, double[] odds, double prior) {
        for (double factor : odds) {
            double low = 1.0 * begin / RankCells.STEPS;
            double high = 1.0 * (begin + length) / RankCells.STEPS;
            String saying =
                    said(
                            "values between the quantiles %.0f %% and %.0f %% are %s often",
                            100 * low, 100 * high, factor > 1 ? "more" : "less");
            bets.add(Bet.odds(low, high, factor, prior, saying));
        }
    }

    private static List<Bet> shares() {
        List<Bet> bets = new ArrayList<>();
        for (int length : new int[] {1, 2, 3, 4, 6, 8, 12, 16}) {
            for (int begin = 0; begin + length <= RankCells.STEPS; begin++) {
                for (double odds : new double[] {0.3, 0.6, 0.8, 1.25, 1.6, 2.5, 5}) {
                    String saying =
                            odds > 1 ? "a category is more often" : "a category is less often";
                    double low = 1.0 * begin / RankCells.STEPS;
                    double high = 1.0 * (begin + length) / RankCells.STEPS;
                    bets.add(Bet.odds(low, high, odds, 1.0 / (33 - length), saying));
                }
            }
        }
        return bets;
    }

    private static List<Bet> upperEnd() {
        List<Bet> bets = new ArrayList<>();
        for (double fine : RankCells.FINE) {
            for (double odds : new double[] {2, 4, 16, 64, 256}) {
                bets.add(Bet.odds(1 - fine, 1, odds, 1, "more often"));
            }
        }
        for (int length : new int[] {1, 2, 3, 4, 6, 8, 12, 16, 20, 24}) {
            double begin = 1 - 1.0 * length / RankCells.STEPS;
            for (double odds : new double[] {0.3, 0.6, 1.4, 2, 4, 16}) {
                bets.add(Bet.odds(begin, 1, odds, 0.5, odds > 1 ? "more often" : "less often"));
            }
        }
        return bets;
    }

    private static String said(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

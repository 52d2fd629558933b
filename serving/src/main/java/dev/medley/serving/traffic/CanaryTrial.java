package dev.medley.serving.traffic;

import dev.medley.serving.registry.CanaryGoals;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gathers evidence of a canary from windows, in each of which both versions were seen under the
 * same load.
 *
 * <p>Errors count by request. Of latency a window is one observation however many requests it had:
 * those of a window share its pauses and its load. It is the mean rank among the champion's, and
 * the share beyond its tail; the e-values of both are averaged.
 *
 * <p>Thread: one at a time.
 */
public final class CanaryTrial {
    private static final double LARGEST_LOG = 600;
    private static final double ERRORS_PRIOR = 0.01;
    private static final double TAIL_PRIOR = 0.05;

    private final CanaryGoals goals;
    private final MeanTest moreErrors = new MeanTest(ERRORS_PRIOR, MeanTest.ANY);
    private final MeanTest fewErrors = new MeanTest(ERRORS_PRIOR, MeanTest.ANY);
    private final MeanTest slower = new MeanTest(0.5, MeanTest.LARGE);
    private final MeanTest longerTail = new MeanTest(TAIL_PRIOR, MeanTest.LARGE);
    private final MeanTest quick = new MeanTest(0.5, MeanTest.ANY);
    private final MeanTest worseMetric = new MeanTest(0.5, MeanTest.ANY);
    private final MeanTest goodMetric = new MeanTest(0.5, MeanTest.ANY);
    private final LatencyScale scale = new LatencyScale();
    private final Sums champion = new Sums();
    private final Sums challenger = new Sums();
    private long windows;

    /** Sums of one version. */
    private static final class Sums {
        private long requests;
        private long errors;
        private long timed;
        private double timedNs;
        private long reported;
        private double losses;

        private void add(VersionWindow window) {
            requests += window.requests();
            errors += window.errors();
            timed += window.latenciesNs().length;
            timedNs += Arrays.stream(window.latenciesNs()).asDoubleStream().sum();
            reported += window.losses().length;
            losses += Arrays.stream(window.losses()).sum();
        }
    }

    /** Before the first window. */
    public CanaryTrial(CanaryGoals goals) {
        this.goals = goals;
    }

    /** One more window. */
    public void add(VersionWindow ofChampion, VersionWindow ofChallenger) {
        windows++;
        champion.add(ofChampion);
        challenger.add(ofChallenger);
        Losses a = Losses.ofErrors(ofChampion.requests(), ofChampion.errors());
        Losses b = Losses.ofErrors(ofChallenger.requests(), ofChallenger.errors());
        moreErrors.add(a, b);
        notWorse(fewErrors, a, b);
        Losses metricA = Losses.of(ofChampion.losses());
        Losses metricB = Losses.of(ofChallenger.losses());
        worseMetric.add(metricA, metricB);
        notWorse(goodMetric, metricA, metricB);
        latencies(ofChampion.latenciesNs(), ofChallenger.latenciesNs());
    }

    /** Tests whether B is better than A and a margin: A with the margin is then the larger one. */
    private void notWorse(MeanTest test, Losses a, Losses b) {
        double over = 1 + goals.margin();
        test.add(b.shifted(0, over), a.shifted(goals.margin(), over));
    }

    private void latencies(long[] ofChampion, long[] ofChallenger) {
        if (scale.isKnown()) {
            long[] forgiven = Arrays.stream(ofChallenger).map(LatencyScale::forgiven).toArray();
            slower.add(one(scale::rank, ofChampion), one(scale::rank, forgiven));
            longerTail.add(one(scale::tail, ofChampion), one(scale::tail, forgiven));
            quick.add(one(scale::rank, forgiven), one(scale::rank, ofChampion));
        }
        scale.add(ofChampion);
    }

    private interface Score {
        double of(long[] latenciesNs);
    }

    private static Losses one(Score score, long[] latenciesNs) {
        return latenciesNs.length == 0
                ? Losses.NONE
                : Losses.of(new double[] {score.of(latenciesNs)});
    }

    /** All that was seen so far. */
    public Evidence evidence() {
        Comparison errors =
                new Comparison(
                        champion.requests,
                        mean((double) champion.errors, champion.requests),
                        challenger.requests,
                        mean((double) challenger.errors, challenger.requests),
                        e(moreErrors.logE()),
                        e(fewErrors.logE()));
        Comparison latency =
                new Comparison(
                        champion.timed,
                        mean(champion.timedNs, champion.timed) / 1e9,
                        challenger.timed,
                        mean(challenger.timedNs, challenger.timed) / 1e9,
                        (e(slower.logE()) + e(longerTail.logE())) / 2,
                        e(quick.logE()));
        return new Evidence(windows, errors, latency, metric());
    }

    private @Nullable Comparison metric() {
        return goals.hasMetric()
                ? new Comparison(
                        champion.reported,
                        reported(champion),
                        challenger.reported,
                        reported(challenger),
                        e(worseMetric.logE()),
                        e(goodMetric.logE()))
                : null;
    }

    private double reported(Sums sums) {
        double loss = mean(sums.losses, sums.reported);
        double part = goals.better() == CanaryGoals.Better.HIGHER ? 1 - loss : loss;
        return sums.reported == 0 ? 0 : goals.low() + part * (goals.high() - goals.low());
    }

    private static double mean(double sum, long count) {
        return count == 0 ? 0 : sum / count;
    }

    /** Without what a double has no room for. */
    private static double e(double log) {
        return Math.exp(Math.min(LARGEST_LOG, log));
    }
}

package dev.medley.plan.policy;

import dev.medley.profile.speed.StepTime;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the shares of a group change: a pure function of what was measured.
 *
 * <p>Hysteresis (LB-BSP): shares change only if the step gets shorter by more than {@link
 * #leastGain} and {@link #errors} times what the measurement may be wrong by, and if the steps that
 * are left save more than changing costs. A worker at most doubles its share at once. The gain that
 * counts is that of all such changes together, since a worker that was slow for a while would
 * otherwise never get back what it had.
 *
 * @param batch samples of a step
 * @param leastGain the least part by which a step has to get faster, 0.05 for a twentieth
 * @param errors standard errors that a gain has to be above that
 * @param changeNs the cost of a change of shares, once
 */
public record Balance(int batch, double leastGain, double errors, double changeNs) {
    /** What was measured has to be saved so often: a machine that was slow may not stay so. */
    private static final double MEASURED_TIMES = 2;

    /** So many samples more a worker may get at once, however few it has. */
    private static final int SMALL = 4;

    /** A twentieth, and a tenth of a second. */
    public static Balance of(int batch) {
        return new Balance(batch, 0.05, 2.3, 1e8);
    }

    /**
     * Of rounds: they are seconds long and their times are means, so less is worth a change, and
     * there are too few of them to wait until all is certain. Shares that were changed without need
     * are hardly worse, and the change itself, over links that stay, is a pause of a few messages.
     */
    public static Balance ofRounds(int samples) {
        return new Balance(samples, 0.03, 1, 1e8);
    }

    /** The same for another batch. */
    public Balance with(int changed) {
        return new Balance(changed, leastGain, errors, changeNs);
    }

    /**
     * What was measured.
     *
     * @param names of the workers, for people, in order of rank
     * @param shares that they have
     * @param times fitted to their steps
     * @param caps most samples of each
     * @param errorNs standard error of what other shares would save
     * @param idleNs of a step in which even the last worker waits
     * @param stepsLeft of the run
     * @param changeNs that the last change of shares cost, where that was measured; else 0
     */
    public record Measured(
            List<String> names,
            List<Integer> shares,
            List<StepTime> times,
            List<Integer> caps,
            double errorNs,
            double idleNs,
            long stepsLeft,
            double changeNs) {}

    /**
     * What to do.
     *
     * @param shares to train with from now on
     * @param isChange whether they differ enough from those at hand
     * @param why one sentence
     */
    public record Decision(List<Integer> shares, boolean isChange, String why) {}

    /**
     * The best shares, if they are worth a change; else those at hand. Asked after every step, and
     * most shares are near enough to what no others could beat: then nothing is split.
     */
    public Decision decide(Measured now) {
        double presentNs = longestNs(now.shares(), now.times()) + now.idleNs();
        double leastNs = WaterFilling.leastNs(batch, now.times()) + now.idleNs();
        if (!isWorthIt(now, presentNs, leastNs)) {
            return stay(now, presentNs, "no shares could make less than ", leastNs);
        }
        List<Integer> best = split(now, Balance::vessel);
        double bestNs = longestNs(best, now.times()) + now.idleNs();
        double goalNs = longestNs(split(now, Balance::open), now.times()) + now.idleNs();
        return bestNs < presentNs && isWorthIt(now, presentNs, goalNs)
                ? new Decision(best, true, why(now, best, presentNs, bestNs))
                : stay(now, presentNs, "the best ones would make ", bestNs);
    }

    private boolean isWorthIt(Measured now, double presentNs, double goalNs) {
        double savedNs = presentNs - goalNs;
        return savedNs > leastGain * goalNs + errors * now.errorNs()
                && savedNs * (double) now.stepsLeft()
                        > Math.max(changeNs, MEASURED_TIMES * now.changeNs());
    }

    /**
     * Half of what it has is the least that a worker keeps, and twice that the most that it gets at
     * once: a speed that was misjudged is seen in time and costs little until then, and nobody is
     * left without samples, of whom nothing would be learnt any more.
     */
    private static WaterFilling.Vessel vessel(Measured now, int rank) {
        int share = now.shares().get(rank);
        int cap = now.caps().get(rank);
        int most = Math.min(cap, Math.max(share + SMALL, 2 * share));
        int least = Math.min(most, (share + 1) / 2);
        return new WaterFilling.Vessel(now.times().get(rank), least, most);
    }

    /** The same if it may get any number at once: what several changes lead to. */
    private static WaterFilling.Vessel open(Measured now, int rank) {
        WaterFilling.Vessel first = vessel(now, rank);
        return new WaterFilling.Vessel(first.time(), first.least(), now.caps().get(rank));
    }

    private List<Integer> split(
            Measured now, BiFunction<Measured, Integer, WaterFilling.Vessel> vessel) {
        int workers = now.times().size();
        return WaterFilling.split(
                batch, IntStream.range(0, workers).mapToObj(i -> vessel.apply(now, i)).toList());
    }

    private static double longestNs(List<Integer> shares, List<StepTime> times) {
        return IntStream.range(0, shares.size())
                .mapToDouble(i -> times.get(i).predictNs(shares.get(i)))
                .max()
                .orElse(0);
    }

    private static Decision stay(Measured now, double presentNs, String than, double otherNs) {
        String why = "shares stay: a step takes " + ms(presentNs) + " ms, ";
        return new Decision(now.shares(), false, why + than + ms(otherNs) + " ms");
    }

    /** In tenths. */
    private static double ms(double ns) {
        return Math.round(ns / 1e5) / 10.0;
    }

    private static String why(Measured now, List<Integer> best, double presentNs, double bestNs) {
        return String.format(
                Locale.ROOT,
                "shares change from %s to %s: %s; a step takes %.1f ms and will take %.1f ms",
                now.shares(),
                best,
                speeds(now),
                presentNs / 1e6,
                bestNs / 1e6);
    }

    private static String speeds(Measured now) {
        int even = Math.max(1, now.shares().stream().mapToInt(s -> s).sum() / now.shares().size());
        StringBuilder words = new StringBuilder();
        @Nullable String gap = null;
        for (int i = 0; i < now.times().size(); i++) {
            words.append(gap == null ? "" : gap)
                    .append(
                            String.format(
                                    Locale.ROOT,
                                    "%s makes %,.0f samples/s",
                                    now.names().get(i),
                                    now.times().get(i).samplesPerSecond(even)));
            gap = ", ";
        }
        return words.toString();
    }
}

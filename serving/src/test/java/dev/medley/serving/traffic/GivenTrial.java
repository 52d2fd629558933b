package dev.medley.serving.traffic;

import dev.medley.base.Seeds;
import dev.medley.serving.registry.CanaryGoals;
import dev.medley.serving.registry.TrafficPlan;
import dev.medley.serving.traffic.RolloutPolicy.Decision;
import dev.medley.serving.traffic.RolloutPolicy.Step;
import java.util.random.RandomGenerator;

/** Simulates a canary in virtual time: windows of a quarter of a second under one load. */
final class GivenTrial {
    static final double WINDOWS_A_SECOND = 4;

    private final RandomGenerator random;
    private final TrafficPlan plan;
    private final double perSecond;
    private final Version champion;
    private final Version challenger;

    /** How a version answers. */
    record Version(double errors, double latencyMillis, double spread, double metric) {}

    /** How a trial ended. */
    record End(Decision decision, double seconds) {}

    GivenTrial(
            long seed,
            double share,
            CanaryGoals goals,
            double perSecond,
            Version champion,
            Version challenger) {
        random = Seeds.generator(seed);
        plan = TrafficPlan.canary(1, 2, share, seed, goals);
        this.perSecond = perSecond;
        this.champion = champion;
        this.challenger = challenger;
    }

    /** Until something is decided, or so many seconds have passed. */
    End run(double seconds, int seat) {
        CanaryTrial trial = new CanaryTrial(plan.goals());
        Decision last = new Decision(Step.GO_ON, "");
        int windows = (int) (seconds * WINDOWS_A_SECOND);
        for (int window = 1; window <= windows; window++) {
            double pause = random.nextInt(40) == 0 ? 1 + 10 * random.nextDouble() : 1;
            double share = plan.shares().get(2);
            trial.add(seen(champion, 1 - share, pause), seen(challenger, share, pause));
            last = RolloutPolicy.decide(plan, trial.evidence(), seat);
            if (last.step() != Step.GO_ON) {
                return new End(last, window / WINDOWS_A_SECOND);
            }
        }
        return new End(last, seconds);
    }

    private VersionWindow seen(Version version, double share, double pause) {
        double mean = share * perSecond / WINDOWS_A_SECOND;
        int requests = poisson(mean);
        int errors = 0;
        long[] latencies = new long[requests];
        double[] losses = new double[plan.goals().hasMetric() ? requests : 0];
        for (int i = 0; i < requests; i++) {
            errors += random.nextDouble() < version.errors() ? 1 : 0;
            double millis =
                    pause
                            * version.latencyMillis()
                            * Math.exp(version.spread() * random.nextGaussian());
            latencies[i] = (long) (millis * 1e6);
            if (losses.length > 0) {
                losses[i] = random.nextDouble() < version.metric() ? 0 : 1;
            }
        }
        return new VersionWindow(requests, errors, latencies, losses);
    }

    private int poisson(double mean) {
        int count = 0;
        double left = mean;
        while (left > 0) { // In parts, since exp underflows.
            double part = Math.min(left, 30);
            double product = random.nextDouble();
            while (product > Math.exp(-part)) {
                count++;
                product *= random.nextDouble();
            }
            left -= part;
        }
        return count;
    }
}

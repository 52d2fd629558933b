package dev.medley.control.forecast;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.route.SumCost;
import dev.medley.control.planner.WaterFilling;
import dev.medley.control.planner.WaterFilling.Vessel;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.cluster.Prices;
import dev.medley.profile.speed.StepTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Predicts a job under a strategy, from what is known of machines, ways and model. With B samples
 * of a batch, P bytes of parameters, t_i(b) = alpha_i + beta_i b the time of machine i:
 *
 * <pre>
 * data-parallel   C = the water level of B over t_i                         (ALGORITHMS, b: LB-BSP)
 *                 step = max(C + T(last bucket),  C/3 + 2/3 C u/P + T(P))   (b: Cannikin)
 * rounds of H     C = the water level of H B over t_i(inner) / inner per sample
 *                 round = C + T(P),  step = round / H                       (e: blocking DiLoCo)
 * by letters      the same, and in each step what {@link LetterCost} says
 * </pre>
 *
 * T is the time of a sum ({@link SumCost}; ALGORITHMS, f), u the length of a bucket. Backward is
 * taken for two thirds of the compute: when it has come through the first bucket, sums begin to
 * hide behind it; the last bucket has nothing to hide behind. In rounds all of the change travels
 * while nobody computes. A round ends with the epoch of the data, so the mean round is a little
 * shorter than H steps. Codecs count by what they leave of the bytes; their own time, TLS and
 * evaluations are left out.
 *
 * @param facts of the job
 * @param cluster machines and ways between them
 * @param times of the machines, in their order
 * @param worth of samples under each strategy
 * @param prices null for none
 */
public record Forecaster(
        ModelFacts facts,
        ClusterProfile cluster,
        List<StepTime> times,
        EfficiencyTable worth,
        @Nullable Prices prices) {
    private static final double FORWARD_PART = 1.0 / 3;
    static final double BACKWARD_PART = 2.0 / 3;
    private static final double NS_PER_SECOND = 1e9;

    public Forecaster {
        times = List.copyOf(times);
        check(
                times.size() == cluster.size(),
                "%d machines, but the speed of %d: one each",
                cluster.size(),
                times.size());
        if (prices != null) {
            prices.requireFor(cluster.machines());
        }
    }

    /** A forecast for each candidate, in their order. */
    public List<Forecast> of(List<Candidate> candidates) {
        return candidates.stream().map(this::of).toList();
    }

    /** The forecast for one strategy. */
    public Forecast of(Candidate candidate) {
        ClusterLinks links = ClusterLinks.of(cluster);
        double steps = candidate.hasRounds() ? stepsOfRound(candidate) : 1;
        SumCost sum = sum(links, facts.parameterBytes(), candidate);
        double computeNs = computeNs(candidate, steps);
        LetterCost letters =
                LetterCost.of(candidate, facts.parameterBytes(), computeNs / steps, links);
        double roundNs =
                candidate.hasRounds()
                        ? computeNs + steps * letters.ns() + sum.ns()
                        : overlappedNs(computeNs, links, sum, candidate);
        double samples = steps * facts.batch();
        Forecast.Rate rate =
                new Forecast.Rate(
                        roundNs / steps,
                        computeNs / steps,
                        samples / roundNs * NS_PER_SECOND,
                        1 - computeNs / roundNs);
        Forecast.Traffic traffic =
                new Forecast.Traffic(
                        (sum.betweenBytes() + steps * letters.betweenBytes()) / samples,
                        (sum.insideBytes() + steps * letters.insideBytes()) / samples);
        Efficiency efficiency = worth.of(candidate.strategy());
        return new Forecast(
                candidate.name(),
                candidate,
                rate,
                traffic,
                efficiency,
                rate.samplesPerSecond() * efficiency.counted(),
                spend(rate, traffic, samples),
                Forecast.sentence(candidate, rate, traffic, efficiency));
    }

    /** The least known way that the figures rest on. */
    public Origin leastKnownWay() {
        return ClusterLinks.of(cluster).leastKnown();
    }

    /** Steps of a batch in the mean round: rounds end with an epoch. */
    private double stepsOfRound(Candidate candidate) {
        double wanted = (double) candidate.syncEvery() * facts.batch();
        double rounds = Math.ceil(facts.samplesPerEpoch() / wanted);
        return Math.min(candidate.syncEvery(), facts.samplesPerEpoch() / rounds / facts.batch());
    }

    private double computeNs(Candidate candidate, double steps) {
        if (!candidate.hasRounds()) {
            return busiestNs(facts.batch(), times);
        }
        int inner = Math.max(1, Math.min(facts.innerBatch(), facts.batch()));
        List<StepTime> perSample =
                times.stream().map(t -> new StepTime(0, t.predictNs(inner) / inner)).toList();
        int round = (int) Math.max(1, Math.min(Integer.MAX_VALUE, steps * facts.batch()));
        return busiestNs(round, perSample) * (steps * facts.batch() / round);
    }

    private double busiestNs(int samples, List<StepTime> of) {
        if (!facts.followsSpeed()) {
            double equal = (double) samples / of.size();
            return of.stream().mapToDouble(t -> t.predictNs(equal)).max().orElse(0);
        }
        int least = samples >= of.size() ? 1 : 0;
        return WaterFilling.longestNs(
                samples, of.stream().map(t -> new Vessel(t, least, samples)).toList());
    }

    /** Sums hide behind backward from its first bucket on; the last one is seen. */
    private double overlappedNs(
            double computeNs, ClusterLinks links, SumCost sum, Candidate candidate) {
        double firstBucket = (double) facts.bucketBytes() / facts.parameterBytes();
        double begunNs = computeNs * (FORWARD_PART + BACKWARD_PART * firstBucket);
        double lastNs = sum(links, facts.bucketBytes(), candidate).ns();
        return Math.max(computeNs + lastNs, begunNs + sum.ns());
    }

    private static SumCost sum(ClusterLinks links, long bytes, Candidate candidate) {
        return SumCost.of(bytes, candidate.codedPart(), links.sites(), links.figures());
    }

    private Forecast.@Nullable Spend spend(
            Forecast.Rate rate, Forecast.Traffic traffic, double samplesOfRound) {
        double seconds = facts.budget().seconds();
        long allowed = facts.budgetSamples();
        if (allowed == Long.MAX_VALUE && seconds <= 0) {
            return null;
        }
        double inTime = seconds > 0 ? seconds * rate.samplesPerSecond() : Double.POSITIVE_INFINITY;
        double samples = Math.min((double) allowed, inTime);
        double takes = samples / rate.samplesPerSecond();
        double bytes = samples * traffic.betweenBytesPerSample();
        Prices paid = prices;
        return new Forecast.Spend(
                samples,
                takes,
                samples / samplesOfRound,
                bytes,
                paid == null ? null : paid.of(cluster.machines(), takes, bytes),
                paid == null ? null : paid.currency());
    }
}

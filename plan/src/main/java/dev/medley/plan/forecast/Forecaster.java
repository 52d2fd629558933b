package dev.medley.plan.forecast;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.route.SumCost;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.codec.ClusterLinks;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.codec.Overlap;
import dev.medley.plan.cost.RoundCost;
import dev.medley.plan.cost.SiteTraffic;
import dev.medley.plan.efficiency.Efficiency;
import dev.medley.plan.efficiency.EfficiencyTable;
import dev.medley.plan.policy.BatchRoom;
import dev.medley.plan.policy.WaterFilling;
import dev.medley.plan.policy.WaterFilling.Vessel;
import dev.medley.plan.strategy.StrategyModels;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.cluster.Prices;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Predicts a job under a strategy, from what is known of machines, paths and model. With B samples
 * of a batch, P bytes of parameters, t_i(b) = alpha_i + beta_i b the time of machine i:
 *
 * <pre>
 * data-parallel   C = the water level of B over t_i                         (ALGORITHMS, b: LB-BSP)
 *                 step = max(C + T(last bucket),  C/3 + 2/3 C u/P + T(P))   (b: Cannikin)
 * rounds of H     C = the water level of H B over t_i(inner) / inner per sample
 *                 step = (C + what the model of the algorithm says) / H
 * </pre>
 *
 * T is the time of a sum ({@link SumCost}; ALGORITHMS, f), u the length of a bucket, behind which
 * sums hide as {@link Overlap} says. A round ends with the epoch of the data, so the mean round is
 * a little shorter than H steps. Codecs count by what they leave of the bytes; their own time, TLS
 * and evaluations are left out.
 *
 * @param facts of the job
 * @param cluster machines and paths between them
 * @param times of the machines, in their order
 * @param worth value of samples under each strategy
 * @param prices null for none
 */
public record Forecaster(
        ModelFacts facts,
        ClusterProfile cluster,
        List<StepTime> times,
        EfficiencyTable worth,
        @Nullable Prices prices) {
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
        double computeNs = computeNs(candidate, steps);
        StrategySpec strategy = candidate.strategy();
        RoundCost beside =
                StrategyModels.of(strategy)
                        .cost(strategy, facts, computing(steps, computeNs), links);
        double roundNs = computeNs + beside.ns();
        double samples = steps * facts.batch();
        Forecast.Rate rate =
                new Forecast.Rate(
                        roundNs / steps,
                        computeNs / steps,
                        samples / roundNs * NS_PER_SECOND,
                        1 - computeNs / roundNs);
        Forecast.Traffic traffic =
                new Forecast.Traffic(
                        beside.between().total() / samples,
                        beside.insideBytes() / samples,
                        perLink(beside.between().times(1 / samples)));
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

    /** The same with another opinion of what samples are worth. */
    Forecaster with(EfficiencyTable other) {
        return new Forecaster(facts, cluster, times, other, prices);
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
            return busiestNs(facts.batch(), times, roomOfStep());
        }
        List<StepTime> perSample = times.stream().map(this::perSample).toList();
        int round = (int) Math.max(1, Math.min(Integer.MAX_VALUE, steps * facts.batch()));
        List<Integer> whole = Collections.nCopies(times.size(), round);
        return busiestNs(round, perSample, whole) * (steps * facts.batch() / round);
    }

    /** As long as each sample of a round takes, with its part of what a batch costs beside them. */
    private StepTime perSample(StepTime time) {
        int inner = Math.max(1, Math.min(facts.innerBatch(), facts.batch()));
        return new StepTime(0, time.predictNs(inner) / inner);
    }

    /** Most samples of a step for each machine, by its memory. */
    private List<Integer> roomOfStep() {
        return BatchRoom.holding(
                facts.batch(),
                cluster.machines().stream()
                        .map(machine -> facts.room().mostSamples(machine.memoryBytes()))
                        .toList());
    }

    private double busiestNs(int samples, List<StepTime> of, List<Integer> caps) {
        if (!facts.followsSpeed()) {
            double equal = (double) samples / of.size();
            return of.stream().mapToDouble(t -> t.predictNs(equal)).max().orElse(0);
        }
        int least = samples >= of.size() ? 1 : 0;
        return WaterFilling.longestNs(
                samples,
                IntStream.range(0, of.size())
                        .mapToObj(i -> new Vessel(of.get(i), least, caps.get(i)))
                        .toList());
    }

    private RoundCost.Computing computing(double steps, double ns) {
        List<Double> speeds =
                times.stream()
                        .map(t -> facts.followsSpeed() ? 1 / perSample(t).betaNs() : 1.0)
                        .toList();
        return new RoundCost.Computing(steps, ns, speeds);
    }

    private List<Forecast.Link> perLink(SiteTraffic bytes) {
        List<String> sites = cluster.sites();
        List<Forecast.Link> links = new ArrayList<>();
        for (int from = 0; from < sites.size(); from++) {
            for (int to = 0; to < sites.size(); to++) {
                if (from != to) {
                    links.add(
                            new Forecast.Link(sites.get(from), sites.get(to), bytes.at(from, to)));
                }
            }
        }
        return links;
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

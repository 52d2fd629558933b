package dev.medley.plan.simulator;

import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.SimulatedLinks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adds up the time and traffic of some steps, until their mean is known. The first steps warm up.
 */
final class Tally {
    private static final int WARM_STEPS = 2;
    private static final int LEAST_STEPS = 6;
    private static final double SURE_PART = 0.005;

    private final Fabric fabric;
    private final Map<SimulatedLinks.Pair, Double> crossedBefore;
    private final double movedBefore;
    private final List<Double> stepsNs = new ArrayList<>();
    private double computeNs;
    private double samples;

    /**
     * The mean of steps.
     *
     * @param steps that count
     * @param stepNs of each
     * @param computeNs of the machine that computed longest
     * @param samples in the sum of one
     * @param crossed bytes of a step over each pair of sites
     * @param insideBytes that machines sent to others of their own site in a step
     */
    record Mean(
            int steps,
            double stepNs,
            double computeNs,
            double samples,
            Map<SimulatedLinks.Pair, Double> crossed,
            double insideBytes) {
        /** Of stretches with as many steps each. */
        static Mean of(List<Mean> all) {
            Map<SimulatedLinks.Pair, Double> crossed = new java.util.LinkedHashMap<>();
            all.forEach(
                    mean ->
                            mean.crossed()
                                    .forEach(
                                            (pair, bytes) ->
                                                    crossed.merge(
                                                            pair,
                                                            bytes / all.size(),
                                                            Double::sum)));
            return new Mean(
                    all.stream().mapToInt(Mean::steps).sum(),
                    all.stream().mapToDouble(Mean::stepNs).sum() / all.size(),
                    all.stream().mapToDouble(Mean::computeNs).sum() / all.size(),
                    all.stream().mapToDouble(Mean::samples).sum() / all.size(),
                    crossed,
                    all.stream().mapToDouble(Mean::insideBytes).sum() / all.size());
        }
    }

    /** Begins with the next step on these machines. */
    Tally(Fabric fabric) {
        this.fabric = fabric;
        crossedBefore = fabric.crossed();
        movedBefore = fabric.movedInside();
    }

    /**
     * A step was taken.
     *
     * @param longestNs that a machine computed in it
     * @param summed samples in its sum
     */
    void add(double stepNs, double longestNs, double summed) {
        stepsNs.add(stepNs);
        if (stepsNs.size() > WARM_STEPS) {
            computeNs += longestNs;
            samples += summed;
        }
    }

    /** Steps that count. */
    int counted() {
        return stepsNs.size() - WARM_STEPS;
    }

    /** Whether there is a mean. */
    boolean isAny() {
        return counted() >= 2;
    }

    /** Whether their mean is known to half a per cent. */
    boolean isSure() {
        if (counted() < LEAST_STEPS) {
            return false;
        }
        List<Double> ns = stepsNs.subList(WARM_STEPS, stepsNs.size());
        double mean = ns.stream().mapToDouble(n -> n).average().orElse(0);
        double squares = ns.stream().mapToDouble(n -> (n - mean) * (n - mean)).sum();
        double errorNs = Math.sqrt(squares / (counted() - 1) / counted());
        return errorNs < SURE_PART * mean;
    }

    Mean mean() {
        double steps = stepsNs.size();
        Map<SimulatedLinks.Pair, Double> crossed =
                new TreeMap<>(java.util.Comparator.comparing(SimulatedLinks.Pair::toString));
        fabric.crossed()
                .forEach(
                        (pair, bytes) -> {
                            double before = crossedBefore.getOrDefault(pair, 0.0);
                            crossed.put(pair, (bytes - before) / steps);
                        });
        return new Mean(
                counted(),
                stepsNs.subList(WARM_STEPS, stepsNs.size()).stream()
                        .mapToDouble(ns -> ns)
                        .average()
                        .orElse(0),
                computeNs / counted(),
                samples / counted(),
                crossed,
                (fabric.movedInside() - movedBefore) / steps);
    }
}

package dev.medley.plan.simulator;

import static dev.medley.base.ConfigException.check;

import dev.medley.plan.simulator.fabric.Pipe;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.speed.StepTime;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns measured runs into the figures of a model: a line through the measurements, by least
 * squares. Where all measurements are of one size the line goes through the origin, since the part
 * that does not grow with the size cannot be told apart then.
 */
public final class Calibration {
    /** What a share took of a worker's own time. */
    public record Compute(double share, double computeNs) {}

    /** What a sum of so many bytes took over a link that it crossed once. */
    public record Exchange(double bytes, double exchangeNs) {}

    private static final double NS_PER_SECOND = 1e9;

    private Calibration() {}

    /**
     * What each worker of a recorded run did: of all its steps with one share the median, so that a
     * garbage collection is not even seen. Its own time is all of a step but its exchange and its
     * waiting for others: computing, a batch that was not ready, what surrounds a step. Workers by
     * their ids.
     */
    public static Map<Integer, List<Compute>> computes(List<StepRecord> steps) {
        Map<Integer, Map<Long, List<Long>>> times = new TreeMap<>();
        for (StepRecord step : steps) {
            for (WorkerTimes worker : step.workers()) {
                if (worker.samples() > 0) {
                    times.computeIfAbsent(worker.worker(), id -> new TreeMap<>())
                            .computeIfAbsent(worker.samples(), share -> new ArrayList<>())
                            .add(step.stepNs() - worker.exchangeNs() - worker.waitingNs());
                }
            }
        }
        Map<Integer, List<Compute>> computes = new TreeMap<>();
        times.forEach(
                (worker, byShare) -> {
                    List<Compute> medians = new ArrayList<>();
                    byShare.forEach(
                            (share, ns) -> {
                                List<Long> sorted = ns.stream().sorted().toList();
                                medians.add(new Compute(share, sorted.get(sorted.size() / 2)));
                            });
                    computes.put(worker, medians);
                });
        return computes;
    }

    /** t(b) = alpha + beta b of a machine; neither is below 0. */
    public static StepTime stepTime(List<Compute> runs) {
        double[] line =
                line(
                        runs.stream().mapToDouble(Compute::share).toArray(),
                        runs.stream().mapToDouble(Compute::computeNs).toArray());
        return new StepTime(line[0], line[1]);
    }

    /** The same of rounds, whose batches are all of one size: by the median of a sample. */
    public static StepTime perSample(List<Compute> runs) {
        double[] ns = runs.stream().mapToDouble(r -> r.computeNs() / r.share()).sorted().toArray();
        check(ns.length > 0, "nothing was measured");
        return new StepTime(0, ns[ns.length / 2]);
    }

    /**
     * How far a worker's times for a sample scatter from step to step: their standard deviation as
     * a part of their mean, as a cluster file's {@code variation}.
     *
     * @param innerSteps of a step that is a round: it is the variation of one of them; 1 for none
     */
    public static double variation(List<StepRecord> steps, int worker, int innerSteps) {
        double[] perSample =
                steps.stream()
                        .flatMap(step -> step.workers().stream())
                        .filter(times -> times.worker() == worker && times.samples() > 0)
                        .mapToDouble(times -> (double) times.computeNs() / times.samples())
                        .toArray();
        double mean = Arrays.stream(perSample).average().orElse(0);
        if (perSample.length < 3 || mean == 0) {
            return 0;
        }
        double squares = Arrays.stream(perSample).map(ns -> (ns - mean) * (ns - mean)).sum();
        double part = Math.sqrt(squares / (perSample.length - 1)) / mean;
        return Math.min(1, part * Math.sqrt(innerSteps));
    }

    /** Latency and bandwidth of a link as a cluster file wants them. */
    public static LinkPath way(List<Exchange> runs) {
        double[] line =
                line(
                        runs.stream().mapToDouble(Exchange::bytes).toArray(),
                        runs.stream().mapToDouble(Exchange::exchangeNs).toArray());
        check(
                line[1] > 0,
                "exchanges of more bytes took no longer: no bandwidth follows from them");
        return new LinkPath(
                Math.round(line[0]),
                NS_PER_SECOND / line[1] / Pipe.partBetweenSites(),
                Origin.MEASURED);
    }

    /** What does not grow, and what grows with each unit; both at least 0. */
    private static double[] line(double[] sizes, double[] ns) {
        check(sizes.length > 0, "nothing was measured");
        double meanSize = Arrays.stream(sizes).average().orElse(0);
        double meanNs = Arrays.stream(ns).average().orElse(0);
        double together = 0;
        double squares = 0;
        for (int i = 0; i < sizes.length; i++) {
            together += (sizes[i] - meanSize) * (ns[i] - meanNs);
            squares += (sizes[i] - meanSize) * (sizes[i] - meanSize);
        }
        double slope = squares > 0 ? Math.max(0, together / squares) : meanNs / meanSize;
        double rest = meanNs - slope * meanSize;
        return rest >= 0 ? new double[] {rest, slope} : new double[] {0, meanNs / meanSize};
    }
}

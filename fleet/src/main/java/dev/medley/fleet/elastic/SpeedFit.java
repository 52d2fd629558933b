package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.JobAgent.Shape;
import dev.medley.fleet.elastic.trace.StepCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Predicts step times from those that were measured: computation linear in the local batch,
 * exchange linear in the workers beyond two, within a node and between nodes apart (Pollux,
 * equations 9 to 11, with no overlap). What was measured is repeated. What was not is thought
 * cheap: exchange within a node costs nothing before it is measured, and between nodes a tenth more
 * than within.
 */
final class SpeedFit implements StepGuess {
    private static final double BETWEEN_NODES = 1.1;

    private final Map<Shape, StepCost> measured;
    private final Line compute;
    private final Line within;
    private final Line between;

    /** A line that never falls nor is below 0. */
    private record Line(double start, double slope) {
        static final Line NONE = new Line(0, 0);

        double at(double x) {
            return start + slope * x;
        }

        Line times(double factor) {
            return new Line(start * factor, slope * factor);
        }

        /** Least squares of relative errors. */
        static Line fit(List<double[]> points) {
            double w = 0;
            double x = 0;
            double y = 0;
            double xx = 0;
            double xy = 0;
            for (double[] point : points) {
                double weight = 1 / Math.max(1e-12, point[1] * point[1]);
                w += weight;
                x += weight * point[0];
                y += weight * point[1];
                xx += weight * point[0] * point[0];
                xy += weight * point[0] * point[1];
            }
            double spread = w * xx - x * x;
            if (w == 0 || spread <= 1e-9 * w * xx) {
                return new Line(w == 0 ? 0 : y / w, 0);
            }
            double slope = (w * xy - x * y) / spread;
            double start = (y - slope * x) / w;
            if (slope < 0) {
                return new Line(y / w, 0);
            }
            return start < 0 ? new Line(0, xy / xx) : new Line(start, slope);
        }
    }

    SpeedFit(Map<Shape, StepCost> measured) {
        this.measured = Map.copyOf(measured);
        compute = computeLine();
        Line inside = syncLine(shape -> shape.nodes() == 1 && shape.workers() > 1);
        Line outside = syncLine(shape -> shape.nodes() > 1);
        within = inside;
        between = outside.start() + outside.slope() > 0 ? outside : inside.times(BETWEEN_NODES);
    }

    @Override
    public StepCost at(int nodes, int workers, int local) {
        StepCost known = measured.get(new Shape(nodes, workers, local));
        if (known != null) {
            return known;
        }
        double computeS = compute.at(local);
        Line exchange = workers == 1 ? Line.NONE : nodes == 1 ? within : between;
        double syncS = exchange.at(Math.max(0, workers - 2));
        return new StepCost(computeS + syncS, syncS);
    }

    /** With one local batch measured, half of its time is thought to be there for any batch. */
    private Line computeLine() {
        List<double[]> points = new ArrayList<>();
        measured.forEach(
                (shape, cost) -> points.add(new double[] {shape.local(), cost.computeS()}));
        if (points.stream().mapToDouble(point -> point[0]).distinct().count() == 1) {
            double meanS = points.stream().mapToDouble(p -> p[1]).average().orElse(0);
            return new Line(meanS / 2, meanS / 2 / points.get(0)[0]);
        }
        return Line.fit(points);
    }

    private Line syncLine(Predicate<Shape> of) {
        List<double[]> points = new ArrayList<>();
        measured.forEach(
                (shape, cost) -> {
                    if (of.test(shape)) {
                        points.add(new double[] {Math.max(0, shape.workers() - 2), cost.syncS()});
                    }
                });
        return Line.fit(points);
    }
}

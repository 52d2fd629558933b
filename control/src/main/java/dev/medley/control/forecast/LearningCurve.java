package dev.medley.control.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What a run had learnt after so many samples: its evaluations, from the first on.
 *
 * @param isHigherBetter which way the metric improves
 * @param points in order of samples
 */
public record LearningCurve(boolean isHigherBetter, List<Point> points) {
    /** Levels that both have to have reached, before anything is said of them. */
    private static final int LEAST_LEVELS = 3;

    /** Of longer curves so many stay, about evenly. */
    private static final int MOST_POINTS = 256;

    /** An evaluation. */
    public record Point(double samples, double value) {}

    public LearningCurve {
        points = List.copyOf(points);
    }

    /** The same after one more evaluation. */
    public LearningCurve with(double samples, double value) {
        List<Point> more = new ArrayList<>(points);
        more.removeIf(p -> p.samples() >= samples); // A step that was discarded was evaluated.
        more.add(new Point(samples, value));
        return new LearningCurve(isHigherBetter, thinned(more));
    }

    /** Without the point whose neighbours are the nearest to each other, if there are too many. */
    private static List<Point> thinned(List<Point> points) {
        if (points.size() <= MOST_POINTS) {
            return points;
        }
        int nearest = 1;
        for (int i = 2; i < points.size() - 1; i++) {
            nearest = gap(points, i) < gap(points, nearest) ? i : nearest;
        }
        List<Point> fewer = new ArrayList<>(points);
        fewer.remove(nearest);
        return fewer;
    }

    private static double gap(List<Point> points, int without) {
        return points.get(without + 1).samples() - points.get(without - 1).samples();
    }

    /**
     * What a sample of this run was worth beside one of {@code other}: the samples with which the
     * other came to a level, over those with which this one did. The median over the levels that
     * both came to, of which the first half is left out, since what is learnt first is learnt fast
     * by everybody. Nothing where fewer than {@value #LEAST_LEVELS} are left.
     */
    public OptionalDouble worthBeside(LearningCurve other) {
        if (isHigherBetter != other.isHigherBetter) {
            return OptionalDouble.empty();
        }
        List<Double> ratios = new ArrayList<>();
        for (Point level : records()) {
            double needed = other.samplesTo(level.value());
            if (needed < Double.POSITIVE_INFINITY) {
                ratios.add(needed / samplesTo(level.value()));
            }
        }
        List<Double> late = ratios.subList(ratios.size() / 2, ratios.size());
        if (late.size() < LEAST_LEVELS) {
            return OptionalDouble.empty();
        }
        List<Double> sorted = late.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return OptionalDouble.of(
                sorted.size() % 2 == 1
                        ? sorted.get(middle)
                        : (sorted.get(middle - 1) + sorted.get(middle)) / 2);
    }

    /** The points that were better than all before them. */
    private List<Point> records() {
        List<Point> records = new ArrayList<>();
        for (Point point : points) {
            boolean isFirst = records.isEmpty();
            if (isFirst ? !Double.isNaN(point.value()) : beats(point, records)) {
                records.add(point);
            }
        }
        return records;
    }

    private boolean beats(Point point, List<Point> records) {
        double best = records.get(records.size() - 1).value();
        return isHigherBetter ? point.value() > best : point.value() < best;
    }

    /** When the level was reached, on the straight line between two records; infinite if never. */
    private double samplesTo(double level) {
        Point before = null;
        for (Point point : records()) {
            if (isHigherBetter ? point.value() >= level : point.value() <= level) {
                return before == null
                        ? point.samples()
                        : before.samples()
                                + (level - before.value())
                                        / (point.value() - before.value())
                                        * (point.samples() - before.samples());
            }
            before = point;
        }
        return Double.POSITIVE_INFINITY;
    }
}

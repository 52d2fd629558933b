package dev.medley.plan.efficiency;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The evaluations of a run by the number of samples that it had learnt, from the first on.
 *
 * @param isHigherBetter which way the metric improves
 * @param points in order of samples
 */
public record LearningCurve(boolean isHigherBetter, List<Point> points) {
    /** Evaluations that have to be comparable, before anything is said of them. */
    private static final int LEAST_COMPARED = 3;

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

    /** Samples of the last evaluation; 0 before the first. */
    double lastSamples() {
        return points.isEmpty() ? 0 : points.get(points.size() - 1).samples();
    }

    /**
     * What a sample of this run was worth beside one of {@code other}: the samples with which the
     * other came to the best that this one had come to by then, over those that it had seen by
     * then. The median over its evaluations, of which the first half is left out, since what is
     * learnt first is learnt fast by everybody, and those of which nothing is known: the other
     * never came there, or had passed it before it was first evaluated, with more samples. Nothing
     * where fewer than {@value #LEAST_COMPARED} are left.
     */
    public OptionalDouble worthBeside(LearningCurve other) {
        if (isHigherBetter != other.isHigherBetter) {
            return OptionalDouble.empty();
        }
        List<Double> ratios = new ArrayList<>();
        for (Point point : bestSoFar()) {
            Point there = other.firstAt(point.value());
            if (there != null
                    && (other.isAfterTheFirst(there) || there.samples() < point.samples())) {
                ratios.add(there.samples() / point.samples());
            }
        }
        List<Double> late = ratios.subList(ratios.size() / 2, ratios.size());
        return late.size() < LEAST_COMPARED
                ? OptionalDouble.empty()
                : OptionalDouble.of(median(late));
    }

    /** All points, each with the best value up to there. */
    private List<Point> bestSoFar() {
        List<Point> records = records();
        List<Point> all = new ArrayList<>();
        int record = -1;
        for (Point point : points) {
            boolean isNext =
                    record + 1 < records.size()
                            && records.get(record + 1).samples() == point.samples();
            record += isNext ? 1 : 0;
            if (record >= 0) {
                all.add(new Point(point.samples(), records.get(record).value()));
            }
        }
        return all;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
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

    private boolean isAt(Point point, double level) {
        return isHigherBetter ? point.value() >= level : point.value() <= level;
    }

    /**
     * Where the level was reached, on the straight line between two records: at the first
     * evaluation at the latest. Null if it never was.
     */
    private @Nullable Point firstAt(double level) {
        Point before = null;
        for (Point point : records()) {
            if (isAt(point, level)) {
                return before == null ? point : between(before, point, level);
            }
            before = point;
        }
        return null;
    }

    private static Point between(Point before, Point after, double level) {
        double part = (level - before.value()) / (after.value() - before.value());
        return new Point(before.samples() + part * (after.samples() - before.samples()), level);
    }

    private boolean isAfterTheFirst(Point point) {
        return point.samples() > points.get(0).samples();
    }
}

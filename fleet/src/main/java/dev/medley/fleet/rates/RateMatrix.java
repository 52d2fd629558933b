package dev.medley.fleet.rates;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Completes the matrix of (job kind, machine type) rates. Logarithms of rates are a Gaussian
 * process: a level of the kind, a level of the type, which begins at its measured speed, and how
 * well a kind suits a type, which kinds of a family and of like size share (Rasmussen and Williams,
 * Gaussian Processes for Machine Learning, 2006, eq. 2.25, 2.26). What was measured for a pair
 * itself counts most, as its error is small beside all others.
 *
 * <p>A matrix is a value: with a new measurement a new one is made, in the cube of the number of
 * measured pairs, at most {@value #MOST}: the newest.
 */
public final class RateMatrix {
    /** Pairs that are looked at; older ones fall out. */
    public static final int MOST = 400;

    /** Deviations of logarithms: how unlike kinds, types, and what suits what are. */
    private static final double KIND_LEVEL = 3;

    private static final double TYPE_LEVEL = 0.7;
    private static final double TYPE_BY_FAMILY = 0.6;
    private static final double TYPE_BY_KIND = 0.15;
    private static final double SIZE_LENGTH = 1.5;

    private final List<MeasuredRate> measured;
    private final double level;
    private final double[] weights;
    private final Cholesky factor;

    private RateMatrix(List<MeasuredRate> measured) {
        this.measured = measured;
        int count = measured.size();
        double[] rest = new double[count];
        level =
                measured.stream()
                        .mapToDouble(m -> logRate(m) - logSpeed(m.type()))
                        .average()
                        .orElse(0);
        double[][] covariance = new double[count][];
        for (int row = 0; row < count; row++) {
            MeasuredRate m = measured.get(row);
            rest[row] = logRate(m) - logSpeed(m.type()) - level;
            covariance[row] = new double[row + 1];
            for (int column = 0; column <= row; column++) {
                MeasuredRate other = measured.get(column);
                covariance[row][column] =
                        covariance(m.kind(), m.type(), other.kind(), other.type());
            }
            covariance[row][row] += m.relativeError() * m.relativeError();
        }
        factor = new Cholesky(covariance);
        weights = factor.solve(rest);
    }

    /**
     * The matrix that measurements give; of several for one pair the mean counts, weighted by their
     * errors.
     */
    public static RateMatrix of(List<MeasuredRate> measurements) {
        TreeMap<String, List<MeasuredRate>> pairs = new TreeMap<>();
        int from = Math.max(0, measurements.size() - 4 * MOST);
        for (MeasuredRate m : measurements.subList(from, measurements.size())) {
            pairs.computeIfAbsent(m.kind().name() + '\n' + m.type().name(), p -> new ArrayList<>())
                    .add(m);
        }
        List<MeasuredRate> means = new ArrayList<>();
        pairs.values().forEach(list -> means.add(mean(list)));
        if (means.size() > MOST) {
            means.sort(Comparator.comparingDouble(MeasuredRate::relativeError));
        }
        return new RateMatrix(List.copyOf(means.subList(0, Math.min(MOST, means.size()))));
    }

    private static MeasuredRate mean(List<MeasuredRate> list) {
        double sum = 0;
        double weight = 0;
        for (MeasuredRate m : list) {
            double precision = 1 / (m.relativeError() * m.relativeError());
            sum += precision * logRate(m);
            weight += precision;
        }
        MeasuredRate last = list.get(list.size() - 1);
        return new MeasuredRate(
                last.kind(), last.type(), Math.exp(sum / weight), Math.sqrt(1 / weight));
    }

    /** What is expected of a pair, measured or not. */
    public RateEstimate estimate(JobKind kind, TypeSpeed type) {
        double[] near = new double[measured.size()];
        double mean = level + logSpeed(type);
        for (int i = 0; i < near.length; i++) {
            MeasuredRate m = measured.get(i);
            near[i] = covariance(kind, type, m.kind(), m.type());
            mean += near[i] * weights[i];
        }
        double variance = covariance(kind, type, kind, type);
        for (double part : factor.half(near)) {
            variance -= part * part;
        }
        return new RateEstimate(Math.exp(mean), Math.sqrt(Math.max(variance, 0)));
    }

    /** The relative error that was measured for a pair itself; empty where it never was. */
    public OptionalDouble measuredError(JobKind kind, TypeSpeed type) {
        return measured.stream()
                .filter(m -> m.kind().name().equals(kind.name()))
                .filter(m -> m.type().name().equals(type.name()))
                .mapToDouble(MeasuredRate::relativeError)
                .findFirst();
    }

    private static double covariance(JobKind a, TypeSpeed s, JobKind b, TypeSpeed t) {
        boolean isKind = a.name().equals(b.name());
        boolean isType = s.name().equals(t.name());
        double kinds = isKind ? KIND_LEVEL * KIND_LEVEL : 0;
        if (!isType) {
            return kinds;
        }
        double family =
                a.family().equals(b.family())
                        ? TYPE_BY_FAMILY * TYPE_BY_FAMILY * near(a.size(), b.size())
                        : 0;
        double own = isKind ? TYPE_BY_KIND * TYPE_BY_KIND : 0;
        return kinds + TYPE_LEVEL * TYPE_LEVEL + family + own;
    }

    private static double near(double size, double other) {
        double distance = Math.log(size / other) / SIZE_LENGTH;
        return Math.exp(-distance * distance / 2);
    }

    private static double logRate(MeasuredRate m) {
        return Math.log(m.rate());
    }

    private static double logSpeed(TypeSpeed type) {
        return Double.isNaN(type.speed()) ? 0 : Math.log(type.speed());
    }
}

package dev.medley.plan.source;

import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Made-up ways between machines with a worker each, and what is measured of them. */
public final class Ways {
    private final double[][] bytesPerSecond;

    private Ways(double[][] bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /** All alike. */
    public static Ways alike(int machines) {
        double[][] rates = new double[machines][machines];
        for (double[] row : rates) {
            Arrays.fill(row, 1e8);
        }
        return new Ways(rates);
    }

    /** From thin to wide, each direction for itself. */
    public static Ways uneven(int machines, RandomGenerator random) {
        Ways ways = alike(machines);
        for (double[] row : ways.bytesPerSecond) {
            for (int to = 0; to < row.length; to++) {
                row[to] = Math.pow(10, 5 + 4 * random.nextDouble());
            }
        }
        return ways;
    }

    public int size() {
        return bytesPerSecond.length;
    }

    /** The same where one way carries so much less. */
    public Ways without(int from, int to, double times) {
        Ways next = copy();
        next.bytesPerSecond[from][to] /= times;
        return next;
    }

    /** The same where all that leaves a machine is so much slower. */
    public Ways slowFrom(int machine, double times) {
        Ways next = this;
        for (int to = 0; to < size(); to++) {
            next = next.without(machine, to, times);
        }
        return next;
    }

    /** The same where all that comes to a machine is so much slower. */
    public Ways slowTo(int machine, double times) {
        Ways next = this;
        for (int from = 0; from < size(); from++) {
            next = next.without(from, machine, times);
        }
        return next;
    }

    /** The same where the link of a machine is so much slower. */
    public Ways slow(int machine, double times) {
        return slowFrom(machine, times).slowTo(machine, times);
    }

    /** What is found, a little off each time. */
    public Ways seen(RandomGenerator random) {
        Ways next = copy();
        for (double[] row : next.bytesPerSecond) {
            for (int to = 0; to < row.length; to++) {
                row[to] *= 0.8 + 0.4 * random.nextDouble();
            }
        }
        return next;
    }

    /** As the group of an epoch says it, with the worker of machine i called i + 1. */
    public LinkReport report(int epoch) {
        return report(epoch, IntStream.range(0, size()).boxed().toList());
    }

    /** The same with the machines in another order. */
    public LinkReport report(int epoch, List<Integer> order) {
        List<List<Integer>> workers = new ArrayList<>();
        List<List<LinkPath>> ways = new ArrayList<>();
        for (int from : order) {
            workers.add(List.of(from + 1));
            ways.add(
                    order.stream()
                            .map(to -> new LinkPath(0, bytesPerSecond[from][to], Origin.MEASURED))
                            .toList());
        }
        return new LinkReport(
                epoch, workers, ways, Collections.nCopies(order.size(), 0), "by the test");
    }

    private Ways copy() {
        double[][] rates = new double[size()][];
        for (int from = 0; from < size(); from++) {
            rates[from] = bytesPerSecond[from].clone();
        }
        return new Ways(rates);
    }
}

package dev.medley.plan.simulator.sum;

import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.simulator.fabric.Costs;
import java.util.Arrays;
import java.util.List;

/**
 * Holds the part of a byte that codecs leave on its path between sites. Bytes for one site have the
 * codec of that border, bytes for several the coarsest of theirs, as in the exchange ({@code
 * BorderCodecs}).
 */
final class CodedParts {
    private final double[][] byWay;

    private CodedParts(double[][] byWay) {
        this.byWay = byWay;
    }

    /** Nothing is coded. */
    static CodedParts whole(int sites) {
        return new CodedParts(plain(sites));
    }

    /** By the codecs of a strategy between these sites. */
    static CodedParts of(StrategySpec strategy, List<String> sites) {
        double[][] parts = plain(sites.size());
        for (int from = 0; from < sites.size(); from++) {
            for (int to = 0; to < sites.size(); to++) {
                if (from != to) {
                    parts[from][to] =
                            Costs.codedPart(
                                    strategy.codec()
                                            .at(
                                                    sites.get(from),
                                                    sites.get(to),
                                                    strategy.compress()),
                                    strategy.codec());
                }
            }
        }
        return new CodedParts(parts);
    }

    private static double[][] plain(int sites) {
        double[][] parts = new double[sites][sites];
        for (double[] row : parts) {
            Arrays.fill(row, 1);
        }
        return parts;
    }

    /** From one site to one other. */
    double of(int from, int to) {
        return byWay[from][to];
    }

    /** From one site to all others at once. */
    double told(int from) {
        double least = 1;
        for (double part : byWay[from]) {
            least = Math.min(least, part);
        }
        return least;
    }
}

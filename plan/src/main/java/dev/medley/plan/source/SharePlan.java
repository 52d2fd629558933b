package dev.medley.plan.source;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.Group;
import dev.medley.base.Plan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cuts the global batch by relative shares. It rounds by largest remainder, so that the shares sum
 * to the batch and none is off by a whole sample.
 *
 * @param batch samples between two exchanges
 * @param innerBatch most samples that a worker computes before it exchanges, or moves by itself
 * @param accumulate micro-batches that each share, or each inner batch of one, is cut into
 * @param wanted relative shares of the first group's ranks; empty for equal ones
 */
public record SharePlan(int batch, int innerBatch, int accumulate, List<Double> wanted)
        implements PlanSource {
    /** Shares of batches that are exchanged one by one. */
    public SharePlan(int batch, int accumulate, List<Double> wanted) {
        this(batch, batch, accumulate, wanted);
    }

    public SharePlan {
        wanted = List.copyOf(wanted);
        check(batch >= 1, "batch=%d: at least 1", batch);
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        boolean asWanted = wanted.size() == group.size();
        List<Double> relative =
                asWanted ? wanted : IntStream.range(0, group.size()).mapToObj(i -> 1.0).toList();
        List<Integer> shares = split(batch, relative);
        return cut(version, shares, why(group, shares, asWanted, microBatch(shares)));
    }

    /** The same for steps of {@code samples} samples. */
    SharePlan of(int samples) {
        return new SharePlan(samples, Math.max(samples, innerBatch), accumulate, wanted);
    }

    /** A plan of these shares, in as many micro-batches as the job asks for. */
    Plan cut(int version, List<Integer> shares, String why) {
        return new Plan(version, shares, microBatch(shares), why);
    }

    private int microBatch(List<Integer> shares) {
        int largest = shares.stream().mapToInt(Integer::intValue).max().orElse(batch);
        int most = Math.min(largest, innerBatch);
        return Math.max(1, (most + accumulate - 1) / accumulate);
    }

    /** Whole numbers in proportion to {@code relative} whose sum is {@code total}. */
    public static List<Integer> split(int total, List<Double> relative) {
        double sum = relative.stream().mapToDouble(Double::doubleValue).sum();
        int[] shares = new int[relative.size()];
        double[] remainders = new double[relative.size()];
        int given = 0;
        for (int i = 0; i < shares.length; i++) {
            double exact = total * relative.get(i) / sum;
            shares[i] = (int) Math.floor(exact);
            remainders[i] = exact - shares[i];
            given += shares[i];
        }
        List<Integer> order =
                IntStream.range(0, shares.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble((Integer i) -> -remainders[i]))
                        .toList();
        for (int i = 0; i < total - given; i++) {
            shares[order.get(i)]++;
        }
        List<Integer> result = new ArrayList<>();
        for (int share : shares) {
            result.add(share);
        }
        return result;
    }

    private String why(Group group, List<Integer> shares, boolean asWanted, int microBatch) {
        String cut = accumulate > 1 ? ", in micro-batches of at most " + microBatch : "";
        if (!wanted.isEmpty() && asWanted) {
            return "%s %d is cut into %s as strategy.shares asks%s"
                    .formatted(what(), batch, shares, cut);
        }
        return shares.size() == 1
                ? "one worker takes the whole %s of %d%s".formatted(what(), batch, cut)
                : "%s %d is cut evenly into %s: %s%s"
                        .formatted(
                                what(),
                                batch,
                                shares,
                                group.isOnOneHost()
                                        ? "the workers are processes of one machine"
                                        : "how fast each machine is will be seen",
                                cut);
    }

    /** A word for what is cut, for people. */
    String what() {
        return innerBatch < batch ? "round" : "batch";
    }
}

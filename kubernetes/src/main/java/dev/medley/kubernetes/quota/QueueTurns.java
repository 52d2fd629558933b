package dev.medley.kubernetes.quota;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Decides which job of a queue gives back the part of its least that it has. Kueue lets in a job's
 * coordinator and its flavors one by one, so two jobs may each have a part that keeps the other
 * from the rest. Then those that come later, by priority and age, are kept out until the first has
 * all: that one is never kept out, so some job always gets on.
 */
public final class QueueTurns {
    /** Kueue lets in what there is room for within less. */
    public static final double PATIENCE_S = 10;

    private static final Comparator<QuotaStand> ORDER =
            Comparator.comparing((QuotaStand job) -> -(long) job.priority())
                    .thenComparing(QuotaStand::arrivalS)
                    .thenComparing(QuotaStand::key);

    private QueueTurns() {}

    /**
     * Why a job is to be kept out; empty if it is not.
     *
     * @param job that has a part of its least, or is kept out
     * @param others of the queue, and of queues that borrow from each other
     * @param nowS seconds of the epoch
     */
    public static Optional<String> outBecause(
            QuotaStand job, List<QuotaStand> others, QueueRoom room, double nowS) {
        if (!job.isHeld() && (!job.isHalf() || nowS < job.sinceS() + PATIENCE_S)) {
            return Optional.empty();
        } else if (!isWithin(job.least(), room.most())) {
            return Optional.of(
                    ("it needs %s to begin, coordinator and least workers, and the queue can never"
                                    + " have more than %s: ask for less, or give the queue more")
                            .formatted(
                                    words(job.least(), job.least()),
                                    words(room.most(), job.least())));
        }
        List<QuotaStand> ahead =
                others.stream()
                        .filter(other -> ORDER.compare(other, job) < 0)
                        .filter(other -> other.isHalf() || job.isHeld() && other.isHeld())
                        .filter(other -> isWithin(other.least(), room.most()))
                        .sorted(ORDER)
                        .toList();
        if (ahead.isEmpty() || job.isHeld() && isWithin(sum(job, ahead), room.idle())) {
            return Optional.empty();
        }
        return Optional.of(
                ("%s comes first and has not all that it needs to begin; a part for each would"
                                + " let neither begin")
                        .formatted(ahead.get(0).key()));
    }

    private static Map<String, BigDecimal> sum(QuotaStand job, List<QuotaStand> ahead) {
        Map<String, BigDecimal> sum = new TreeMap<>();
        Stream.concat(
                        Stream.of(job.least()),
                        ahead.stream().map(o -> o.isHeld() ? o.least() : o.missing()))
                .forEach(needs -> needs.forEach((name, n) -> sum.merge(name, n, BigDecimal::add)));
        return sum;
    }

    private static boolean isWithin(Map<String, BigDecimal> needs, Map<String, BigDecimal> limits) {
        return needs.entrySet().stream()
                .filter(need -> limits.containsKey(need.getKey()))
                .allMatch(need -> need.getValue().compareTo(limits.get(need.getKey())) <= 0);
    }

    private static String words(Map<String, BigDecimal> amounts, Map<String, BigDecimal> of) {
        List<String> words =
                new TreeMap<>(amounts)
                        .entrySet().stream()
                                .filter(amount -> of.containsKey(amount.getKey()))
                                .map(a -> a.getValue().toPlainString() + " of " + a.getKey())
                                .toList();
        return String.join(" and ", words);
    }
}

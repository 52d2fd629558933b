package dev.medley.tensor.factor;

import static dev.medley.base.ConfigException.check;

import dev.medley.tensor.table.FactorRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;

/**
 * Orders all items for a user, those left out that the user has in training. A user costs as many
 * operations as the table of items has numbers. Who is unknown is given the items with the highest
 * biases, or of implicit feedback those that the largest share of users has, which is the score.
 */
public final class ItemScores {
    private final FactorLearner learner;
    private final Seen seen;
    private final float[] items;
    private final float[] user;
    private final float[] scores;
    private final int stride;
    private final double bias;
    private int scored = -1;

    /**
     * An item for a user.
     *
     * @param item its code
     * @param score what is predicted, in the units of the label
     */
    public record Recommended(int item, double score) {}

    ItemScores(FactorLearner learner, Seen seen) {
        this.learner = learner;
        this.seen = seen;
        stride = learner.stride();
        FactorRows rows = learner.rows();
        int column = learner.sides().item();
        int known = rows.codes().get(column) - 1;
        check(
                (long) known * stride <= Integer.MAX_VALUE,
                "%,d items of rank %d are more than can be recommended from: %,d numbers at most",
                known,
                stride - 1,
                Integer.MAX_VALUE);
        items = new float[known * stride];
        for (int code = 0; code < known; code++) {
            learner.read(rows.first().get(column) + code, items, code * stride);
        }
        user = new float[stride];
        scores = new float[known];
        float[] ofAll = new float[stride];
        learner.read(rows.count(), ofAll, 0);
        bias = ofAll[0];
    }

    private void score(int code) {
        if (scored == code) {
            return;
        }
        scored = code;
        int column = learner.sides().user();
        if (learner.spec().isImplicit() && code == learner.rows().codes().get(column) - 1) {
            Arrays.fill(user, 0);
            Arrays.fill(scores, 0);
            for (int item : seen.items()) {
                scores[item] += 1f / (seen.starts().length - 1);
            }
            return;
        }
        learner.read(learner.rows().first().get(column) + code, user, 0);
        for (int item = 0; item < scores.length; item++) {
            int at = item * stride;
            scores[item] = items[at] + PairMachine.dot(items, at + 1, user, 1, stride - 1);
        }
    }

    /**
     * How many items come before one: with higher scores, or equal ones and lower codes.
     *
     * @return -1 if the user has it in training, or it is unknown
     */
    int before(int code, int item) {
        if (item >= scores.length || seen.has(code, item)) {
            return -1;
        }
        score(code);
        int before = 0;
        for (int other = 0; other < scores.length; other++) {
            boolean isBefore =
                    scores[other] > scores[item] || (scores[other] == scores[item] && other < item);
            before += isBefore && !seen.has(code, other) ? 1 : 0;
        }
        return before;
    }

    /** The best items for a user, the best first; fewer where there are no more. */
    public List<Recommended> best(int code, int count) {
        score(code);
        Comparator<Integer> worseFirst =
                Comparator.<Integer>comparingDouble(item -> scores[item])
                        .thenComparing(Comparator.<Integer>reverseOrder());
        PriorityQueue<Integer> best = new PriorityQueue<>(worseFirst);
        for (int item = 0; item < scores.length; item++) {
            boolean isBetter =
                    best.size() < count
                            || scores[item] > scores[Objects.requireNonNull(best.peek())];
            if (isBetter && !seen.has(code, item)) {
                best.add(item);
                if (best.size() > count) {
                    best.remove();
                }
            }
        }
        List<Recommended> ordered = new ArrayList<>();
        while (!best.isEmpty()) {
            int item = best.remove();
            double score = bias + user[0] + scores[item];
            ordered.add(0, new Recommended(item, learner.inUnits(score)));
        }
        return ordered;
    }
}

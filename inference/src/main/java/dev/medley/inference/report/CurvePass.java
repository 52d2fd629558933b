package dev.medley.inference.report;

import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.evaluation.ScoreCurves;
import dev.medley.base.evaluation.ScoreCurves.Cut;
import dev.medley.base.evaluation.ScoreCurves.Decision;
import dev.medley.base.evaluation.ScoreCurves.Lift;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.evaluation.ThresholdSpec.Maximise;
import dev.medley.base.text.Words;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects the curves of a binary classifier while probabilities fall. Areas and the best
 * thresholds are exact, over every level. Of the cuts those are kept that lead on: a part of either
 * class further than the last, or a tenth more samples, so that the steep beginning is not lost:
 * some hundred of any number.
 */
final class CurvePass {
    private static final double STEP = 1.0 / 150;
    private static final double GROWTH = 1.1;
    private static final double USUAL = 0.5;
    private static final List<Double> LIFTS = List.of(0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5);

    private final double positives;
    private final double negatives;
    private final @Nullable ThresholdSpec gains;
    private final List<Cut> cuts = new ArrayList<>();
    private final List<Lift> lifts = new ArrayList<>();
    private final Map<Maximise, Decision> best = new EnumMap<>(Maximise.class);
    private final double own;
    private @Nullable Cut usualCut;
    private @Nullable Cut ownCut;
    private Cut at = new Cut(2, 0, 0);
    private double area;
    private double precisions;

    /**
     * Of classes that weigh so much.
     *
     * @param gains by which a profit is counted; null for none
     * @param own the probability from which on the model says positive; not a number for none
     */
    CurvePass(double positives, double negatives, @Nullable ThresholdSpec gains, double own) {
        this.positives = positives;
        this.negatives = negatives;
        this.gains = gains;
        this.own = own;
    }

    /** The next lower level of probability, with what its samples weigh. */
    void take(double probability, double positive, double negative) {
        if (positive + negative == 0) {
            return; // Samples of weight 0 change nothing.
        }
        if (cuts.isEmpty()) {
            at = new Cut(Math.nextUp(probability), 0, 0);
            cuts.add(at);
            consider(at);
        }
        pass(probability);
        Cut next =
                new Cut(probability, at.truePositives() + positive, at.falsePositives() + negative);
        area += negative * (at.truePositives() + positive / 2);
        precisions += positive * next.truePositives() / taken(next);
        addLifts(next);
        at = next;
        consider(at);
        if (leadsOn()) {
            cuts.add(at);
        }
    }

    /**
     * Whether a threshold lies between the last level and this one. One half itself is negative.
     */
    private void pass(double probability) {
        if (usualCut == null && probability <= USUAL) {
            usualCut = new Cut(USUAL, at.truePositives(), at.falsePositives());
        }
        if (ownCut == null && probability < own) {
            ownCut = new Cut(own, at.truePositives(), at.falsePositives());
        }
    }

    private static double taken(Cut cut) {
        return cut.truePositives() + cut.falsePositives();
    }

    private boolean leadsOn() {
        Cut last = cuts.get(cuts.size() - 1);
        double found = (at.truePositives() - last.truePositives()) / positives;
        double wrong = (at.falsePositives() - last.falsePositives()) / negatives;
        return Math.max(found, wrong) >= STEP || taken(at) >= GROWTH * taken(last);
    }

    /** Between two cuts samples are taken blindly. */
    private void addLifts(Cut next) {
        while (lifts.size() < LIFTS.size()) {
            double part = LIFTS.get(lifts.size());
            double wanted = part * (positives + negatives);
            if (taken(next) < wanted) {
                return;
            }
            double way = (wanted - taken(at)) / (taken(next) - taken(at));
            double found = at.truePositives() + way * (next.truePositives() - at.truePositives());
            lifts.add(new Lift(part, found / positives, found / positives / part));
        }
    }

    private void consider(Cut cut) {
        Decision decision = decision("", cut);
        for (Maximise measure : Maximise.values()) {
            double value = decision.value(measure);
            Decision before = best.get(measure);
            boolean isFirst = before == null && !Double.isNaN(value);
            if (isFirst || (before != null && value > before.value(measure))) {
                best.put(measure, decision);
            }
        }
    }

    private Decision decision(String name, Cut cut) {
        return Decision.of(name, cut, positives, negatives, gains);
    }

    /**
     * The curves, after the last level.
     *
     * @param positive name of the positive class
     * @param has the model's own threshold; null for none
     * @param choose what one is to be chosen for where it has none; null for nothing
     */
    ScoreCurves curves(
            String positive, @Nullable DecisionThreshold has, @Nullable ThresholdSpec choose) {
        if (!cuts.get(cuts.size() - 1).equals(at)) {
            cuts.add(at);
        }
        pass(Double.NEGATIVE_INFINITY);
        List<Decision> decisions = new ArrayList<>();
        decisions.add(decision(ScoreCurves.USUAL, Objects.requireNonNull(usualCut)));
        best.forEach((measure, found) -> decisions.add(decision(Words.of(measure), found.cut())));
        Cut mine = ownCut;
        DecisionThreshold chosen = has;
        if (has == null && choose != null) {
            Decision reached = Objects.requireNonNull(best.get(choose.maximise()));
            mine = reached.cut();
            chosen =
                    new DecisionThreshold(
                            mine.probability(), choose, reached.value(choose.maximise()));
        }
        if (mine != null) {
            decisions.add(decision(ScoreCurves.MODELS, mine));
        }
        return new ScoreCurves(
                positive,
                positives,
                negatives,
                area / (positives * negatives),
                precisions / positives,
                decisions,
                chosen,
                lifts,
                cuts);
    }
}

package dev.medley.tensor.kmeans;

import dev.medley.base.model.KMeansSpec;
import dev.medley.base.model.KMeansSpec.Algorithm;
import dev.medley.tensor.model.StepLoss;
import java.util.ArrayList;
import java.util.List;

/** Runs a fit on workers of one thread, whose accumulators are added up by hand. */
final class Workers {
    private final Blobs data;
    private final List<KMeansFit> fits = new ArrayList<>();
    private int steps;

    Workers(Blobs data, KMeansSpec spec, int k, int... shares) {
        this.data = data;
        for (int i = 0; i < shares.length; i++) {
            fits.add(
                    new KMeansFit(new KMeansLearner(k, data.features(), spec.restarts()), spec, 7));
        }
        deal(shares);
    }

    static KMeansSpec lloyd(int restarts) {
        return new KMeansSpec(Algorithm.LLOYD, restarts, 100, 0);
    }

    /** Another group of as many begins. */
    void deal(int... shares) {
        int from = 0;
        for (int i = 0; i < shares.length; i++) {
            int first = from;
            int end = from + shares[i];
            fits.get(i).learnFrom(taker -> data.between(first, end, taker), first, data.count());
            fits.get(i).formed();
            from = end;
        }
    }

    KMeansFit first() {
        return fits.get(0);
    }

    List<KMeansFit> all() {
        return fits;
    }

    int steps() {
        return steps;
    }

    /** Takes steps until the fit has ended. */
    Workers finish() {
        while (first().done() == null) {
            step();
        }
        return this;
    }

    void step() {
        double[] losses = new double[fits.size()];
        double[] sums = new double[first().learner().gathered().length];
        double samples = 0;
        for (int i = 0; i < fits.size(); i++) {
            StepLoss loss = fits.get(i).gather();
            losses[i] = loss.lossSum();
            samples += loss.weight();
            double[] own = fits.get(i).learner().gathered();
            for (int at = 0; at < sums.length; at++) {
                sums[at] += own[at];
            }
        }
        for (int i = 0; i < fits.size(); i++) {
            fits.get(i).learner().gather(sums);
            fits.get(i).next(samples, losses, i).run();
        }
        steps++;
    }

    double[] centres() {
        double[] centres = new double[first().learner().shape().centres()];
        first().learner().parameters().buffer().asDoubleBuffer().get(0, centres);
        return centres;
    }
}

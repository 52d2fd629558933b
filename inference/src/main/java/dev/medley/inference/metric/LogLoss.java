package dev.medley.inference.metric;

/**
 * Computes minus the logarithm of the probability that a classifier gives to what is true. It takes
 * the logits, computes in double, and serves also for a model that learns from another loss.
 */
final class LogLoss {
    private LogLoss() {}

    static double of(Predictions predictions, int i) {
        if (predictions.width() == 1) {
            double logit = predictions.output(i);
            double off = predictions.truth(i) == 1 ? -logit : logit;
            return Math.max(off, 0) + Math.log1p(Math.exp(-Math.abs(off)));
        }
        float[] logits = new float[predictions.width()];
        predictions.outputs(i, logits);
        return logSumOfExponents(logits) - logits[predictions.truth(i)];
    }

    private static double logSumOfExponents(float[] logits) {
        double most = Double.NEGATIVE_INFINITY;
        for (float logit : logits) {
            most = Math.max(most, logit);
        }
        double all = 0;
        for (float logit : logits) {
            all += Math.exp(logit - most);
        }
        return most + Math.log(all);
    }
}

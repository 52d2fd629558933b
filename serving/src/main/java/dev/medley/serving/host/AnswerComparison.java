package dev.medley.serving.host;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.serving.batch.Computed;

/**
 * Compares what two versions say of the same rows.
 *
 * @param agreeingRows with the same class, or numbers that differ by less than a thousandth
 * @param differences sum over rows of how far their numbers are apart, on average over a row
 */
record AnswerComparison(int agreeingRows, double differences) {
    private static final double CLOSE = 1e-3;

    static AnswerComparison of(
            ServedModel first, Computed ofFirst, ServedModel second, Computed ofSecond, int rows) {
        TargetKind kind = first.description().signature().target().kind();
        boolean areAlike = kind == second.description().signature().target().kind();
        if (!areAlike) {
            return new AnswerComparison(0, rows);
        }
        boolean areTokens = kind == TargetKind.TOKENS;
        boolean areClasses =
                kind == TargetKind.BINARY || kind == TargetKind.CLASSES || kind == TargetKind.NONE;
        int agreeing = 0;
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            double apart =
                    apart(
                            numbers(first, ofFirst, row, areTokens),
                            numbers(second, ofSecond, row, areTokens));
            boolean isSame =
                    areClasses
                            ? answer(first, ofFirst, row).equals(answer(second, ofSecond, row))
                            : apart < CLOSE;
            sum += Double.isFinite(apart) ? apart : 1;
            agreeing += isSame ? 1 : 0;
        }
        return new AnswerComparison(agreeing, sum);
    }

    private static String answer(ServedModel of, Computed found, int row) {
        return of.answers().prediction(found, row).answer();
    }

    private static double[] numbers(ServedModel of, Computed found, int row, boolean areTokens) {
        if (!areTokens) {
            return of.answers().prediction(found, row).scores().stream()
                    .mapToDouble(Double::doubleValue)
                    .toArray();
        }
        float[] outputs = found.row(row);
        double[] numbers = new double[outputs.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = outputs[i];
        }
        return numbers;
    }

    /** On average, by the size of the first where that is above 1. */
    private static double apart(double[] one, double[] other) {
        if (one.length != other.length) {
            return 1;
        }
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += Math.abs(one[i] - other[i]) / Math.max(1, Math.abs(one[i]));
        }
        return one.length == 0 ? 0 : sum / one.length;
    }
}

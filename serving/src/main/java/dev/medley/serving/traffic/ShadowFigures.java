package dev.medley.serving.traffic;

/**
 * Counts how a shadow's answers differ from those that callers got.
 *
 * <p>Thread: any.
 */
public final class ShadowFigures {
    private long requests;
    private long rows;
    private long agreeing;
    private double difference;
    private long failed;
    private long dropped;
    private double shadowNs;
    private double answerNs;

    /**
     * All of them.
     *
     * @param requests that both computed
     * @param rows of those
     * @param agreement part of rows with the same class, or with numbers that differ by less than a
     *     thousandth
     * @param meanDifference of the numbers of a row, probabilities included
     * @param failed requests that the shadow could not answer
     * @param dropped requests that it was not given, since something waited
     * @param seconds of the shadow for a request, on average
     * @param answerSeconds of the version that answered
     */
    public record Sum(
            long requests,
            long rows,
            double agreement,
            double meanDifference,
            long failed,
            long dropped,
            double seconds,
            double answerSeconds) {}

    /** A request that both computed. */
    public synchronized void compared(
            int itsRows, int agreeingRows, double differences, long itsNs, long answersNs) {
        requests++;
        rows += itsRows;
        agreeing += agreeingRows;
        difference += differences;
        shadowNs += itsNs;
        answerNs += answersNs;
    }

    /** One that the shadow could not answer. */
    public synchronized void failed() {
        failed++;
    }

    /** One that it was not given. */
    public synchronized void dropped() {
        dropped++;
    }

    /** All so far. */
    public synchronized Sum sum() {
        return new Sum(
                requests,
                rows,
                rows == 0 ? 0 : (double) agreeing / rows,
                rows == 0 ? 0 : difference / rows,
                failed,
                dropped,
                requests == 0 ? 0 : shadowNs / requests / 1e9,
                requests == 0 ? 0 : answerNs / requests / 1e9);
    }
}

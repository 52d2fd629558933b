package dev.medley.serving.explain;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sums what columns add to the rows that are explained for the figures: where the mean of a column
 * moves, what the model goes by has moved.
 *
 * <p>Thread: any.
 */
public final class ContributionFigures {
    /** Columns beyond these are told in one. */
    public static final int MOST_COLUMNS = 200;

    private static final String REST = "(others)";

    private final Map<String, Double> sums = new LinkedHashMap<>();
    private long rows;

    /** Adds rows. */
    synchronized void add(RowExplainer.Answer answer) {
        for (RowExplainer.Explained row : answer.rows()) {
            for (int c = 0; c < answer.columns().size(); c++) {
                String name = c < MOST_COLUMNS ? answer.columns().get(c) : REST;
                sums.merge(name, Math.abs(row.why().contributions().get(c)), Double::sum);
            }
            rows++;
        }
    }

    /** How many rows. */
    public synchronized long rows() {
        return rows;
    }

    /** The mean of what each column adds, whatever its sign; empty before the first row. */
    public synchronized Map<String, Double> means() {
        Map<String, Double> means = new LinkedHashMap<>();
        sums.forEach((name, sum) -> means.put(name, sum / rows));
        return means;
    }
}

package dev.medley.base.evaluation;

import dev.medley.base.evaluation.Chart.Axis;
import dev.medley.base.evaluation.Chart.Line;
import dev.medley.base.evaluation.Chart.Look;
import dev.medley.base.evaluation.Chart.Scale;
import dev.medley.base.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The errors of forecasts: by how far ahead they look, and by column, in scaled values as the
 * metrics are. Some windows are shown beside what came.
 *
 * @param windows how many were forecast
 * @param steps errors by row ahead, the next one first
 * @param columns errors by column
 * @param examples some windows at equal distances
 */
public record ForecastErrors(
        long windows, List<Step> steps, List<Column> columns, List<Example> examples)
        implements EvaluationSection {
    private static final int MOST_ROWS = 20;

    public ForecastErrors {
        steps = List.copyOf(steps);
        columns = List.copyOf(columns);
        examples = List.copyOf(examples);
    }

    /**
     * Errors so many rows ahead, over all columns.
     *
     * @param ahead 1 for the next row
     * @param meanSquared mean of the squared errors
     * @param meanAbsolute mean of the absolute errors
     */
    public record Step(int ahead, double meanSquared, double meanAbsolute) {}

    /**
     * Errors of a column, over all rows ahead.
     *
     * @param name of the column
     * @param meanSquared mean of the squared errors
     * @param meanAbsolute mean of the absolute errors
     */
    public record Column(String name, double meanSquared, double meanAbsolute) {}

    /**
     * One column of one window.
     *
     * @param column its name
     * @param forecast what was said, row by row
     * @param actual what came
     */
    public record Example(String column, List<Double> forecast, List<Double> actual) {
        public Example {
            forecast = List.copyOf(forecast);
            actual = List.copyOf(actual);
        }
    }

    @Override
    public String title() {
        return "Forecasts";
    }

    @Override
    public List<String> sentences() {
        double first = steps.get(0).meanSquared();
        double last = steps.get(steps.size() - 1).meanSquared();
        if (steps.size() == 1) {
            return List.of(
                    "One row ahead, the mean squared error is %s, of scaled values."
                            .formatted(Units.metric(first)));
        }
        return List.of(
                "The mean squared error is %s one row ahead and %s at %d rows, of scaled values."
                        .formatted(Units.metric(first), Units.metric(last), steps.size()));
    }

    /** The columns that are hardest to forecast come first. */
    @Override
    public List<ReportTable> tables() {
        List<List<String>> rows =
                columns.stream()
                        .sorted(Comparator.comparingDouble(Column::meanSquared).reversed())
                        .limit(MOST_ROWS)
                        .map(
                                c ->
                                        List.of(
                                                c.name(),
                                                Units.metric(c.meanSquared()),
                                                Units.metric(c.meanAbsolute())))
                        .toList();
        String title =
                columns.size() <= MOST_ROWS
                        ? "Errors by column"
                        : "The %d of %d columns with the largest errors"
                                .formatted(MOST_ROWS, columns.size());
        return List.of(ReportTable.plain(title, List.of("column", "mse", "mae"), rows));
    }

    @Override
    public List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        if (steps.size() > 1) {
            charts.add(
                    new Chart(
                            "error-ahead",
                            "Error by rows ahead",
                            "how much is lost by looking further",
                            new Axis("rows ahead", Scale.LINEAR),
                            new Axis("of scaled values", Scale.FROM_ZERO),
                            ahead(steps.size()),
                            List.of(
                                    new Line(
                                            "mean squared",
                                            Look.LINE,
                                            steps.stream().map(Step::meanSquared).toList()),
                                    new Line(
                                            "mean absolute",
                                            Look.LINE,
                                            steps.stream().map(Step::meanAbsolute).toList()))));
            for (int i = 0; i < examples.size(); i++) {
                charts.add(chart(i, examples.get(i)));
            }
        }
        return charts;
    }

    private static Chart chart(int number, Example example) {
        return new Chart(
                "forecast-" + (number + 1),
                "A forecast of " + example.column(),
                "beside what came",
                new Axis("rows ahead", Scale.LINEAR),
                new Axis("scaled value", Scale.LINEAR),
                ahead(example.forecast().size()),
                List.of(
                        new Line("forecast", Look.LINE, example.forecast()),
                        new Line("what came", Look.DASHED, example.actual())));
    }

    private static List<Double> ahead(int rows) {
        return IntStream.rangeClosed(1, rows).mapToObj(i -> (double) i).toList();
    }
}

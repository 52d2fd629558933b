package dev.medley.inference.report;

import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.base.evaluation.ForecastErrors;
import dev.medley.base.evaluation.ForecastErrors.Column;
import dev.medley.base.evaluation.ForecastErrors.Example;
import dev.medley.base.evaluation.ForecastErrors.Step;
import dev.medley.inference.metric.EvaluatedBlock;
import dev.medley.inference.metric.ReportPart;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Sums the errors of forecasts. Of a block: how many windows, squared and absolute errors by row
 * ahead and by column, and of its first window some columns as they were forecast and came.
 *
 * @param columns names of what is forecast
 * @param horizon rows of a forecast
 */
record ForecastPart(List<String> columns, int horizon) implements ReportPart {
    private static final int MOST_SHOWN = 2;
    private static final int WINDOWS_SHOWN = 3;

    /** {@code outputs} numbers of a window are those of all columns, row by row. */
    static ForecastPart of(List<String> columns, int outputs) {
        List<String> named = columns.isEmpty() ? List.of("value") : columns;
        return new ForecastPart(named, outputs / named.size());
    }

    private int shown() {
        return Math.min(MOST_SHOWN, columns.size());
    }

    private int sums() {
        return 1 + 2 * (horizon + columns.size());
    }

    @Override
    public int valuesOf(int count) {
        return sums() + 2 * horizon * shown();
    }

    @Override
    public double[] values(EvaluatedBlock block) {
        FloatBuffer forecast = block.outputs().data().buffer().asFloatBuffer();
        FloatBuffer actual = block.target().data().buffer().asFloatBuffer();
        int width = columns.size();
        double[] values = new double[valuesOf(block.samples())];
        values[0] = block.samples();
        for (int i = 0; i < block.samples() * horizon * width; i++) {
            double error = forecast.get(i) - actual.get(i);
            int row = 1 + 2 * (i / width % horizon);
            int column = 1 + 2 * (horizon + i % width);
            values[row] += error * error;
            values[row + 1] += Math.abs(error);
            values[column] += error * error;
            values[column + 1] += Math.abs(error);
        }
        int at = sums();
        for (int c = 0; c < shown() && block.samples() > 0; c++) {
            for (int row = 0; row < horizon; row++) {
                values[at++] = forecast.get(row * width + c);
                values[at++] = actual.get(row * width + c);
            }
        }
        return values;
    }

    @Override
    public List<EvaluationSection> sections(List<double[]> blocks) {
        double[] sums = new double[sums()];
        List<double[]> some = blocks.stream().filter(block -> block[0] > 0).toList();
        for (double[] block : some) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += block[i];
            }
        }
        if (some.isEmpty()) {
            return List.of();
        }
        List<Step> steps = new ArrayList<>();
        for (int row = 0; row < horizon; row++) {
            double count = sums[0] * columns.size();
            int at = 1 + 2 * row;
            steps.add(new Step(row + 1, sums[at] / count, sums[at + 1] / count));
        }
        List<Column> by = new ArrayList<>();
        for (int c = 0; c < columns.size(); c++) {
            double count = sums[0] * horizon;
            int at = 1 + 2 * (horizon + c);
            by.add(new Column(columns.get(c), sums[at] / count, sums[at + 1] / count));
        }
        return List.of(new ForecastErrors((long) sums[0], steps, by, examples(some)));
    }

    private List<Example> examples(List<double[]> blocks) {
        List<Example> examples = new ArrayList<>();
        int windows = Math.min(WINDOWS_SHOWN, blocks.size());
        for (int w = 0; w < windows; w++) {
            double[] block = blocks.get(w * blocks.size() / windows);
            for (int c = 0; c < shown(); c++) {
                List<Double> forecast = new ArrayList<>();
                List<Double> actual = new ArrayList<>();
                for (int row = 0; row < horizon; row++) {
                    int at = sums() + 2 * (c * horizon + row);
                    forecast.add(block[at]);
                    actual.add(block[at + 1]);
                }
                examples.add(new Example(columns.get(c), forecast, actual));
            }
        }
        return examples;
    }
}

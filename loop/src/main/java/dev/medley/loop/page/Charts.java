package dev.medley.loop.page;

import dev.medley.loop.decide.MeasuredFigure;
import dev.medley.loop.learn.Watched;
import dev.medley.record.report.Html;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** Draws figures over runs as SVG, which needs no script. */
final class Charts {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 210;
    private static final int LEFT = 58;
    private static final int RIGHT = 14;
    private static final int TOP = 26;
    private static final int BOTTOM = 28;
    private static final int MOST_TICKS = 10;

    private final List<RunFigures> runs;
    private final StringBuilder svg = new StringBuilder();
    private final double low;
    private final double high;

    private Charts(List<RunFigures> runs, double low, double high) {
        this.runs = runs;
        double room = high > low ? (high - low) * 0.08 : Math.max(Math.abs(high) * 0.1, 0.01);
        this.low = low == 0 ? 0 : low - room;
        this.high = high + room;
    }

    /** The metric of the model in production, measured and expected; empty where there is none. */
    static String metric(List<RunFigures> runs) {
        List<RunFigures> watched = runs.stream().filter(run -> run.watched() != null).toList();
        double[] all =
                DoubleStream.concat(
                                DoubleStream.concat(
                                        values(watched, run -> measured(run, 0)),
                                        values(watched, run -> measured(run, 1))),
                                DoubleStream.concat(
                                        values(watched, Charts::expected),
                                        values(runs, Charts::reached)))
                        .toArray();
        if (all.length == 0) {
            return "";
        }
        Charts chart =
                new Charts(
                        runs,
                        DoubleStream.of(all).min().orElse(0),
                        DoubleStream.of(all).max().orElse(1));
        chart.begin("The metric of the model in production, run by run");
        chart.marks();
        chart.band(watched);
        chart.line(watched, run -> measured(run, 2), "line");
        chart.line(watched, Charts::expected, "line expected");
        return chart.end();
    }

    /** Rows that came, run by run. */
    static String volume(String source, List<RunFigures> runs) {
        double most =
                runs.stream()
                        .mapToDouble(run -> run.came().getOrDefault(source, 0L))
                        .max()
                        .orElse(1);
        Charts chart = new Charts(runs, 0, Math.max(1, most));
        chart.begin("New rows of " + source + ", run by run");
        double width = Math.max(2, Math.min(26, 0.7 * (WIDTH - LEFT - RIGHT) / runs.size()));
        for (int i = 0; i < runs.size(); i++) {
            Long rows = runs.get(i).came().get(source);
            if (rows != null) {
                double top = chart.y(rows);
                chart.add(
                        "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
                                + "<title>run %d: %,d new rows</title></rect>\n",
                        chart.x(i) - width / 2,
                        top,
                        width,
                        Math.max(0.5, chart.y(0) - top),
                        runs.get(i).run(),
                        rows);
            }
        }
        return chart.end();
    }

    private static DoubleStream values(List<RunFigures> runs, ToDoubleFunction<RunFigures> value) {
        return runs.stream().mapToDouble(value).filter(Double::isFinite);
    }

    private static double measured(RunFigures run, int which) {
        Watched watched = run.watched();
        MeasuredFigure figure = watched == null ? null : watched.measured();
        if (figure == null) {
            return Double.NaN;
        }
        return which == 0 ? figure.low() : which == 1 ? figure.high() : figure.figure();
    }

    private static double reached(RunFigures run) {
        return run.reached() == null ? Double.NaN : run.reached();
    }

    private static double expected(RunFigures run) {
        Watched watched = run.watched();
        return watched == null || watched.expected() == null
                ? Double.NaN
                : watched.expected().figure();
    }

    private double x(int place) {
        double width = WIDTH - LEFT - RIGHT;
        return runs.size() == 1 ? LEFT + width / 2 : LEFT + width * (place + 0.5) / runs.size();
    }

    private double y(double value) {
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }

    private void begin(String title) {
        add(
                "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
                WIDTH, HEIGHT, Html.text(title));
        double apart = apart(high - low);
        for (double value = Math.ceil(low / apart) * apart; value <= high; value += apart) {
            add(
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                            + "<text class=\"y\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                    LEFT,
                    WIDTH - RIGHT,
                    y(value),
                    y(value),
                    LEFT - 8,
                    y(value) + 4,
                    number(value, apart));
        }
        int step = (runs.size() + MOST_TICKS - 1) / MOST_TICKS;
        for (int i = 0; i < runs.size(); i += step) {
            add(
                    "<text class=\"x\" x=\"%.1f\" y=\"%d\">%s%d</text>\n",
                    x(i), HEIGHT - 8, i == 0 ? "run " : "", runs.get(i).run());
        }
    }

    /** A round distance of lines, of which there are three to seven. */
    private static double apart(double span) {
        double power = Math.pow(10, Math.floor(Math.log10(span / 3)));
        double part = span / 3 / power;
        return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
    }

    private static String number(double value, double apart) {
        int digits = (int) Math.max(0, -Math.floor(Math.log10(apart) + 1e-9));
        return String.format(Locale.ROOT, "%,." + digits + "f", value + 0.0);
    }

    /** Where a version went into production. */
    private void marks() {
        for (int i = 0; i < runs.size(); i++) {
            Integer taken = runs.get(i).taken();
            if (taken != null) {
                add(
                        "<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
                                + "<text class=\"mark\" x=\"%.1f\" y=\"%d\">version %d</text>\n",
                        x(i), x(i), TOP - 6, HEIGHT - BOTTOM, x(i), TOP - 10, taken);
                Double reached = runs.get(i).reached();
                if (reached != null) {
                    add(
                            "<circle class=\"taken\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>version"
                                    + " %d reached %.4f when it was taken</title></circle>\n",
                            x(i), y(reached), taken, reached);
                }
            }
        }
    }

    private void band(List<RunFigures> watched) {
        for (RunFigures run : watched) {
            if (Double.isFinite(measured(run, 0))) {
                double x = x(runs.indexOf(run));
                add(
                        "<line class=\"range\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                        x, x, y(measured(run, 0)), y(measured(run, 1)));
            }
        }
    }

    private void line(List<RunFigures> watched, ToDoubleFunction<RunFigures> value, String kind) {
        List<String> points = new ArrayList<>();
        StringBuilder dots = new StringBuilder();
        for (RunFigures run : watched) {
            double figure = value.applyAsDouble(run);
            if (Double.isFinite(figure)) {
                double x = x(runs.indexOf(run));
                points.add(String.format(Locale.ROOT, "%.1f,%.1f", x, y(figure)));
                dots.append(
                        String.format(
                                Locale.ROOT,
                                "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>run"
                                        + " %d: %.4f</title></circle>%n",
                                kind,
                                x,
                                y(figure),
                                run.run(),
                                figure));
            }
        }
        add("<polyline class=\"%s\" points=\"%s\"/>\n", kind, String.join(" ", points));
        svg.append(dots);
    }

    private String end() {
        return svg.append("</svg>\n").toString();
    }
}

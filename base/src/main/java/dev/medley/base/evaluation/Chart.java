package dev.medley.base.evaluation;

import java.util.List;

/**
 * A chart of a report. Its lines have the same points on the horizontal axis, in ascending order.
 *
 * @param name for programs, unique in a report: {@code roc}
 * @param title for people
 * @param about one phrase below the title
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param at points on the horizontal axis
 * @param lines what is drawn over them
 * @param marks places on the horizontal axis to look at
 */
public record Chart(
        String name,
        String title,
        String about,
        Axis x,
        Axis y,
        List<Double> at,
        List<Line> lines,
        List<Mark> marks) {
    public Chart {
        at = List.copyOf(at);
        lines = List.copyOf(lines);
        marks = List.copyOf(marks);
        for (Line line : lines) {
            if (line.values().size() != at.size()) {
                throw new IllegalArgumentException(
                        "%s: %d values of %s for %d points"
                                .formatted(name, line.values().size(), line.name(), at.size()));
            }
        }
    }

    /** A chart without marks. */
    public Chart(
            String name,
            String title,
            String about,
            Axis x,
            Axis y,
            List<Double> at,
            List<Line> lines) {
        this(name, title, about, x, y, at, lines, List.of());
    }

    /** A place on the horizontal axis, with a word that says why. */
    public record Mark(double at, String word) {}

    /**
     * An axis.
     *
     * @param title what it measures, with its unit
     * @param scale how it is divided
     */
    public record Axis(String title, Scale scale) {}

    /** The division of an axis. */
    public enum Scale {
        /** From 0 to 1, written as percent. */
        PERCENT,
        /** As the values are. */
        LINEAR,
        /** As the values are, with 0. */
        FROM_ZERO
    }

    /** The look of a line. */
    public enum Look {
        LINE,
        /** To compare with: what chance gives, what would be perfect. */
        DASHED,
        DOTS,
        BARS,
        /** Not drawn: a figure that is shown where somebody points. */
        TOLD
    }

    /**
     * One line of a chart.
     *
     * @param name for people
     * @param look how it is drawn
     * @param values at each point; not a number where there is none
     */
    public record Line(String name, Look look, List<Double> values) {
        public Line {
            values = List.copyOf(values);
        }
    }
}

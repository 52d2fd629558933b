package dev.medley.record.metrics;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Writes the Prometheus text format, version 0.0.4
 * (prometheus.io/docs/instrumenting/exposition_formats): each family's HELP and TYPE once, then its
 * samples.
 */
public final class Exposition {
    /** The media type of what this writes. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

    private final StringBuilder text = new StringBuilder(4096);
    private String family = "";

    /** Begins a family of figures that go up and down. */
    public Exposition gauge(String name, String help) {
        return family(name, "gauge", help);
    }

    /** Begins a family of figures that only grow. */
    public Exposition counter(String name, String help) {
        if (!name.endsWith("_total")) {
            throw new IllegalArgumentException(name + ": a counter's name ends in _total");
        }
        return family(name, "counter", help);
    }

    /** A counter under a name that other programs gave it, for boards that know it. */
    public Exposition counterCalled(String name, String help) {
        return family(name, "counter", help);
    }

    /**
     * A histogram: how many of its values lie up to each bound, all of them, and their sum.
     *
     * @param counts of values up to each bound and above the one before, and of those above all
     */
    public Exposition histogram(
            String name, String help, List<Double> bounds, List<Long> counts, double sum) {
        family(name, "histogram", help);
        long below = 0;
        for (int i = 0; i < counts.size(); i++) {
            below += counts.get(i);
            family = name + "_bucket";
            sample(below, "le", i < bounds.size() ? Double.toString(bounds.get(i)) : "+Inf");
        }
        family = name + "_sum";
        sample(sum);
        family = name + "_count";
        return sample(below);
    }

    /** A sample of the family; labels are names and values in turn. */
    public Exposition sample(double value, String... labels) {
        text.append(family);
        for (int i = 0; i < labels.length; i += 2) {
            text.append(i == 0 ? '{' : ',')
                    .append(labels[i])
                    .append("=\"")
                    .append(escaped(labels[i + 1]))
                    .append('"');
        }
        text.append(labels.length == 0 ? " " : "} ").append(number(value)).append('\n');
        return this;
    }

    /** A whole number; see {@link #sample(double, String...)}. */
    public Exposition sample(long value, String... labels) {
        return sample((double) value, labels);
    }

    /** All that was written. */
    public String text() {
        return text.toString();
    }

    private Exposition family(String name, String type, String help) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(name + " is no name of a metric");
        }
        family = name;
        String safe = help.replace("\\", "\\\\").replace("\n", "\\n");
        text.append("# HELP ").append(name).append(' ').append(safe).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        boolean isWhole = value == Math.rint(value) && Math.abs(value) < 1e15;
        return isWhole ? Long.toString((long) value) : Double.toString(value);
    }
}

package dev.medley.tensor.layer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects what the layers of a network declare, under names joined by dots as in PyTorch: {@code
 * blocks.0.qkv.weight}.
 */
public final class Declaration {
    private final String prefix;
    private final Map<String, Parameter> parameters;
    private final Map<String, Parameter> statistics;
    private final Map<String, Parameter> constants;
    private final List<Moments> moments;
    private final boolean isFixed;

    /** Running moments, and under which full names they are among the statistics. */
    public record Moments(String mean, String variance, RunningMoments running) {}

    /** An empty declaration. */
    public Declaration() {
        this.prefix = "";
        this.parameters = new LinkedHashMap<>();
        this.statistics = new LinkedHashMap<>();
        this.constants = new LinkedHashMap<>();
        this.moments = new ArrayList<>();
        this.isFixed = false;
    }

    private Declaration(Declaration of, String prefix, boolean isFixed) {
        this.prefix = prefix;
        this.parameters = of.parameters;
        this.statistics = of.statistics;
        this.constants = of.constants;
        this.moments = of.moments;
        this.isFixed = isFixed;
    }

    /** The same, in which parameters are constants: they stay as they were loaded. */
    public Declaration fixed() {
        return new Declaration(this, prefix, true);
    }

    /** Something that is learned, unless this part of the network is fixed. */
    public void parameter(String name, Parameter parameter) {
        put(isFixed ? constants : parameters, name, parameter);
    }

    /** Something that is learned although what it is added to is fixed. */
    public void adapter(String name, Parameter parameter) {
        put(parameters, name, parameter);
    }

    /** Something that is remembered from batch to batch, and averaged over workers. */
    public void statistic(String name, Parameter statistic) {
        put(statistics, name, statistic);
    }

    /** A mean and a variance that are remembered; over workers they become those of all values. */
    public void moments(String mean, String variance, RunningMoments running) {
        statistic(mean, running.mean());
        statistic(variance, running.variance());
        moments.add(new Moments(prefix + mean, prefix + variance, running));
    }

    /** Declares an inner layer, under its name. */
    public void layer(String name, Layer layer) {
        layer.declare(new Declaration(this, prefix + name + ".", isFixed));
    }

    /** Parameters by full name, in the order of declaration. */
    public Map<String, Parameter> parameters() {
        return parameters;
    }

    /** Statistics by full name, in the order of declaration. */
    public Map<String, Parameter> statistics() {
        return statistics;
    }

    /** What stays as it was loaded, by full name, in the order of declaration. */
    public Map<String, Parameter> constants() {
        return constants;
    }

    /** Running moments, in the order of declaration. */
    public List<Moments> moments() {
        return moments;
    }

    private void put(Map<String, Parameter> into, String name, Parameter parameter) {
        if (into.putIfAbsent(prefix + name, parameter) != null) {
            throw new IllegalStateException(
                    prefix + name + " is declared twice: names within a layer must differ");
        }
    }
}

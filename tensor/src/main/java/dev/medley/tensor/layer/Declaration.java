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
    private final List<Moments> moments;

    /** Running moments, and under which full names they are among the statistics. */
    public record Moments(String mean, String variance, RunningMoments running) {}

    /** An empty declaration. */
    public Declaration() {
        this("", new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
    }

    private Declaration(
            String prefix,
            Map<String, Parameter> parameters,
            Map<String, Parameter> statistics,
            List<Moments> moments) {
        this.moments = moments;
        this.prefix = prefix;
        this.parameters = parameters;
        this.statistics = statistics;
    }

    /** Something that is learned. */
    public void parameter(String name, Parameter parameter) {
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
        layer.declare(new Declaration(prefix + name + ".", parameters, statistics, moments));
    }

    /** Parameters by full name, in the order of declaration. */
    public Map<String, Parameter> parameters() {
        return parameters;
    }

    /** Statistics by full name, in the order of declaration. */
    public Map<String, Parameter> statistics() {
        return statistics;
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

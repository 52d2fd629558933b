package dev.medley.tensor.graph;

/**
 * Names an array that flows through a graph.
 *
 * @param name within the graph; empty for an input that an operator does without
 */
public record Value(String name) {
    /** An optional input of an operator that is left out. */
    public static final Value NONE = new Value("");
}

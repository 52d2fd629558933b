package dev.medley.inference.model;

import static dev.medley.base.ConfigException.check;

/**
 * The options for generating text.
 *
 * @param tokens how many to add
 * @param temperature 0 for always the likeliest token; 1 for drawing as the model says; more is
 *     wilder
 * @param seed of the draws
 */
public record GenerateOptions(int tokens, double temperature, long seed) {
    public GenerateOptions {
        check(tokens >= 1, "tokens=%d: at least 1", tokens);
        check(temperature >= 0, "temperature=%s: 0 or more", temperature);
    }

    /** 200 tokens, somewhat careful. */
    public static GenerateOptions defaults() {
        return new GenerateOptions(200, 0.8, 1);
    }
}

package dev.medley.inference.model;

import static dev.medley.base.ConfigException.check;

/**
 * The options for generating text.
 *
 * @param tokens how many to add
 * @param temperature 0 for always the likeliest token; 1 for drawing as the model says; more is
 *     wilder
 * @param topK likeliest tokens to draw from; 0 for all
 * @param topP draws from the fewest tokens that are likely together by this much; 1 for all
 *     (nucleus sampling, Holtzman et al. 2020)
 * @param seed of the draws
 */
public record GenerateOptions(int tokens, double temperature, int topK, double topP, long seed) {
    public GenerateOptions {
        check(tokens >= 1, "tokens=%d: at least 1", tokens);
        check(temperature >= 0, "temperature=%s: 0 or more", temperature);
        check(topK >= 0, "top-k=%d: at least 1, or 0 for all tokens", topK);
        check(topP > 0 && topP <= 1, "top-p=%s: above 0, at most 1", topP);
    }

    /** Draws from all tokens. */
    public GenerateOptions(int tokens, double temperature, long seed) {
        this(tokens, temperature, 0, 1, seed);
    }

    /** 200 tokens, somewhat careful. */
    public static GenerateOptions defaults() {
        return new GenerateOptions(200, 0.8, 1);
    }
}

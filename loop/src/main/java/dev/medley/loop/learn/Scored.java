package dev.medley.loop.learn;

import java.nio.file.Path;

/**
 * Tells where answers are.
 *
 * @param file Parquet: the key, the features, and the answer's columns
 * @param rows how many
 * @param version of the model that answered
 */
public record Scored(Path file, long rows, int version) {}

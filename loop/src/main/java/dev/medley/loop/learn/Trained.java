package dev.medley.loop.learn;

/**
 * Tells which version was trained.
 *
 * @param version in the registry
 * @param run the folder of the training
 */
public record Trained(int version, String run) {}

package dev.medley.fleet.simulation;

/** Holds how many jobs were in the system, and how many of them ran, from a moment on. */
public record QueueSample(double atS, int jobs, int running) {}

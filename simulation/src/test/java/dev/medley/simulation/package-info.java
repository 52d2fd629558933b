/**
 * Whole runs on virtual time: the product's coordinator with its policies, and workers around the
 * product's own seat, over a network that is slow, breaks and parts.
 */
package dev.medley.simulation;

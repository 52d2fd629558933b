package dev.medley.serving.route;

/**
 * Holds how loaded one server is, by its last probe.
 *
 * @param name of the server
 * @param inFlight requests under way at it
 * @param latencyNs of one more, by its own estimate; 0 where it is not known
 */
public record ReplicaLoad(String name, double inFlight, long latencyNs) {}

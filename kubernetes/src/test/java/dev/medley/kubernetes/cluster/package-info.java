/**
 * Runs a real control plane of Kubernetes as processes, and pods as processes of this machine, for
 * tests.
 *
 * <p>Thread: see each type.
 */
@NullMarked
package dev.medley.kubernetes.cluster;

import org.jspecify.annotations.NullMarked;

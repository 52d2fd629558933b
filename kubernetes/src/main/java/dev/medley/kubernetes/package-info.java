/**
 * Trains jobs on Kubernetes: the resource MedleyJob, the operator that brings about what it says,
 * and what a coordinator does besides in a pod. Kubernetes places and restarts; Medley brings no
 * cluster manager of its own here.
 *
 * <p>May use: base, net's certificates, data, record, fleet's policies, api. Alone knows fabric8
 * and JOSDK. Never: processes.
 *
 * <p>Thread: see each package.
 */
@NullMarked
package dev.medley.kubernetes;

import org.jspecify.annotations.NullMarked;

/**
 * Holds what a cluster needs once: the resource, the operator, and its rights.
 *
 * <p>May use: the resource and what is made of it. Never: clients.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.kubernetes.install;

import org.jspecify.annotations.NullMarked;

/**
 * Finds a cluster and says in plain words what it answers.
 *
 * <p>May use: fabric8. Never: the operator.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.kubernetes.client;

import org.jspecify.annotations.NullMarked;

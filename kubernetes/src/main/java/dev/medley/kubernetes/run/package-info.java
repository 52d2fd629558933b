/**
 * Holds what a coordinator does besides in a pod: it is the only one of its run, goes on with a run
 * that an earlier pod began, and says how far it is.
 *
 * <p>May use: api, record, the client. Never: the operator.
 *
 * <p>Thread: see each type.
 */
@NullMarked
package dev.medley.kubernetes.run;

import org.jspecify.annotations.NullMarked;

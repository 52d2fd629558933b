/**
 * Makes MedleyJobs of job files and options, hands them to a cluster, and follows them.
 *
 * <p>May use: api, the resource, the client. Never: the operator.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package dev.medley.kubernetes.submit;

import org.jspecify.annotations.NullMarked;

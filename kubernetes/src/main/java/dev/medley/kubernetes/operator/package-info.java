/**
 * Brings about what MedleyJobs say: makes their objects, changes the number of workers, and writes
 * what it sees and why into their status and as events. What is to be done is decided by pure
 * functions; {@link dev.medley.kubernetes.operator.JobReconciler} does it.
 *
 * <p>May use: JOSDK, net to make certificates, api to read job files, what is desired. Never: runs.
 *
 * <p>Thread: reconciliations of one job never overlap; those of different jobs do.
 */
@NullMarked
package dev.medley.kubernetes.operator;

import org.jspecify.annotations.NullMarked;

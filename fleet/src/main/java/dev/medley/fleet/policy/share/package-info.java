/**
 * Policies that give each job a share of time on each machine type. Rounds turn shares into who
 * runs now (Narayanan et al., Heterogeneity-Aware Cluster Scheduling Policies for Deep Learning
 * Workloads, OSDI 2020).
 *
 * <p>May use: base, the view, assignments. Never: clocks, files, threads.
 *
 * <p>Thread: any; what has to be known again travels in the view.
 */
@NullMarked
package dev.medley.fleet.policy.share;

import org.jspecify.annotations.NullMarked;

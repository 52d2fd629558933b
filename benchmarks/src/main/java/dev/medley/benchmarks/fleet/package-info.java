/**
 * Studies of scheduling policies on workloads in virtual time.
 *
 * <p>May use: everything. Never: used by anyone.
 *
 * <p>Thread: each study runs on one.
 */
@NullMarked
package dev.medley.benchmarks.fleet;

import org.jspecify.annotations.NullMarked;

/**
 * Measures what a trained model computes in a second, request by request or file by file.
 *
 * <p>May use: everything. Never: used by anyone.
 */
@NullMarked
package dev.medley.benchmarks.serving;

import org.jspecify.annotations.NullMarked;

/**
 * Measures what a trained model computes in a second, request by request or file by file.
 *
 * <p>May use: api and what it returns. Thread: the program's own.
 */
@NullMarked
package dev.medley.benchmarks.serving;

import org.jspecify.annotations.NullMarked;

/**
 * A training job as values: what to train, on what, how, and where. Every value is valid by
 * construction; the text of a job file is parsed in {@code api} alone.
 *
 * <p>May use: base. Never: files, clocks, LibTorch.
 *
 * <p>Thread: immutable values.
 */
@NullMarked
package dev.medley.base.job;

import org.jspecify.annotations.NullMarked;

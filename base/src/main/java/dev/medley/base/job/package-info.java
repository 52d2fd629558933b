/**
 * Holds a job as values: its work, such as what to train and on what, how, and where. Every value
 * is valid by construction; only {@code api} parses the text of a job file.
 *
 * <p>May use: base. Never: files, clocks, LibTorch.
 *
 * <p>Thread: immutable values.
 */
@NullMarked
package dev.medley.base.job;

import org.jspecify.annotations.NullMarked;

/**
 * Lists, compares and removes the records of runs.
 *
 * <p>May use: picocli, api, record. Never: training.
 *
 * <p>Thread: the command's.
 */
@NullMarked
package dev.medley.cli.history;

import org.jspecify.annotations.NullMarked;

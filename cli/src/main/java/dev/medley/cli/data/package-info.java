/**
 * Describes data sets and fetches known ones.
 *
 * <p>May use: picocli, api, data. Never: training.
 *
 * <p>Thread: the command's.
 */
@NullMarked
package dev.medley.cli.data;

import org.jspecify.annotations.NullMarked;

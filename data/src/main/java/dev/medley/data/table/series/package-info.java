/**
 * Cuts tables into windows over time: stages the rows of series in their order, checks that none is
 * missing, and writes them once; windows are places in that file.
 *
 * <p>May use: base, data.table's engine, csv, column and fit, data.encoding, data.shard. Never:
 * LibTorch, sockets.
 *
 * <p>Thread: the thread that prepares; a decoder belongs to one thread.
 */
@NullMarked
package dev.medley.data.table.series;

import org.jspecify.annotations.NullMarked;

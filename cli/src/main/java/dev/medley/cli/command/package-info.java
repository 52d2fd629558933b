/**
 * Implements the commands, one small class each: options in, calls of the front door, results out.
 *
 * <p>May use: api, terminal, doctor, download, record, data, models of store. Never: sockets,
 * LibTorch.
 *
 * <p>Thread: the main thread.
 */
@NullMarked
package dev.medley.cli.command;

import org.jspecify.annotations.NullMarked;

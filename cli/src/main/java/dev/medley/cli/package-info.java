/**
 * Implements the {@code medley} command: parses, calls the front door, prints. One small class per
 * command; {@link dev.medley.cli.terminal.Terminal} owns what is written and how.
 *
 * <p>May use: api and what it hands out (records of profile, models of store). Never: sockets of
 * the data path, LibTorch.
 *
 * <p>Thread: the main thread, but for the run's observers, which the coordinator's agent calls.
 */
@NullMarked
package dev.medley.cli;

import org.jspecify.annotations.NullMarked;

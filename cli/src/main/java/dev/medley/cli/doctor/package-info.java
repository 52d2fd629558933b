/**
 * Checks whether this machine can train: one small check each, with what to do where it fails.
 *
 * <p>May use: base, store's folders, tensor's start. Never: jobs.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package dev.medley.cli.doctor;

import org.jspecify.annotations.NullMarked;

/**
 * Makes rows to learn from, watches those that arrive, trains, judges and answers.
 *
 * <p>May use: the loop's stages, features, monitors and decisions, api, inference. Never: sources.
 *
 * <p>Thread: one a run.
 */
@NullMarked
package dev.medley.loop.learn;

import org.jspecify.annotations.NullMarked;

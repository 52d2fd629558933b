/**
 * Holds the commands that serve models.
 *
 * <p>May use: serving, cli's options and terminal. Never: HTTP libraries.
 *
 * <p>Thread: the command's.
 */
@NullMarked
package dev.medley.cli.serving;

import org.jspecify.annotations.NullMarked;

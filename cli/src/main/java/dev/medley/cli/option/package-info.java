/**
 * Reads options that several commands share.
 *
 * <p>May use: picocli, api. Never: what a command prints.
 *
 * <p>Thread: the command's.
 */
@NullMarked
package dev.medley.cli.option;

import org.jspecify.annotations.NullMarked;

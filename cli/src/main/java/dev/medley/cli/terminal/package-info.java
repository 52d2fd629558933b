/**
 * Writes results and remarks, live lines, tables, and exit codes.
 *
 * <p>May use: base, records of profile, picocli's colours. Never: commands.
 *
 * <p>Thread: a {@link dev.medley.cli.terminal.Terminal} may be used by all.
 */
@NullMarked
package dev.medley.cli.terminal;

import org.jspecify.annotations.NullMarked;

/**
 * What is written and how: results and remarks, live lines, tables, exit codes.
 *
 * <p>May use: base, records of profile, picocli's colours. Never: commands.
 *
 * <p>Thread: a {@link dev.medley.cli.terminal.Terminal} may be used by all.
 */
@NullMarked
package dev.medley.cli.terminal;

import org.jspecify.annotations.NullMarked;

/**
 * Commands about shared tables: opens the door, tells who sees what, reads the audit.
 *
 * <p>May use: tenant, serving's sockets, option, terminal. Never: values of rows.
 */
@NullMarked
package dev.medley.cli.tenant;

import org.jspecify.annotations.NullMarked;

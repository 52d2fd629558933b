/**
 * Watches columns against a reference so that alarms stay rare however often one looks: each row
 * has a rank among all rows before it, and bets on ranks grow where the rows have changed.
 *
 * <p>May use: base. Never: files, clocks, tables.
 *
 * <p>Thread: a monitor belongs to one.
 */
@NullMarked
package dev.medley.loop.monitor;

import org.jspecify.annotations.NullMarked;

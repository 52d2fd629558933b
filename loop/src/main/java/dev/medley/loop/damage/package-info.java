/**
 * Estimates what a change of rows costs a model before anybody knows the truth. So alarms are read
 * in the order of their damage and not of their significance.
 *
 * <p>May use: base. Never: files, clocks, models.
 *
 * <p>Thread: pure functions and values.
 */
@NullMarked
package dev.medley.loop.damage;

import org.jspecify.annotations.NullMarked;

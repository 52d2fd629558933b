/**
 * Rules of a round that more than one part of the product follows: who may go on in it, and how
 * long it waits for those who are late. Workers act by them, and whoever predicts a run before
 * there is one counts by the same.
 *
 * <p>May use: base. Never: links, clocks, files.
 *
 * <p>Thread: values, pure functions, and counts that belong to their owner.
 */
@NullMarked
package dev.medley.base.round;

import org.jspecify.annotations.NullMarked;

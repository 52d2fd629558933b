/**
 * Holds all policies by the words by which users choose them.
 *
 * <p>May use: base and every package of policies. Never: clocks, threads.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.fleet.catalog;

import org.jspecify.annotations.NullMarked;

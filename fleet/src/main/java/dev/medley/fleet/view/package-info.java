/**
 * Holds what a policy sees of a fleet at one moment, and what it answers.
 *
 * <p>May use: base. Never: clocks, files, randomness.
 *
 * <p>Thread: values; arrays in them are not written after they are made.
 */
@NullMarked
package dev.medley.fleet.view;

import org.jspecify.annotations.NullMarked;

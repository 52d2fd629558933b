/**
 * What every port of a process does with callers that it does not know: they get a few bytes, a few
 * seconds and a place among a bounded number, until both sides have proved that they know the same
 * secret.
 *
 * <p>May use: base. Never: what is said after that.
 *
 * <p>Thread: as each class says.
 */
@NullMarked
package dev.medley.net.door;

import org.jspecify.annotations.NullMarked;

/**
 * Holds what a hub knows of its fleet: jobs, machines, who held what when. It is a fold over the
 * entries of a journal, so that a hub that was killed goes on where it was.
 *
 * <p>May use: base, the rates. Never: clocks, files, threads.
 *
 * <p>Thread: a state belongs to one thread; what is in it are values.
 */
@NullMarked
package dev.medley.fleet.state;

import org.jspecify.annotations.NullMarked;

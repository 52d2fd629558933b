/**
 * Algorithms as plans see them, a class each: their words, what their rounds cost, how they are
 * simulated, and what they add to plans.
 *
 * <p>May use: base, plan's sources, codecs and costs, the simulator below its groups. Never:
 * clocks, sockets, files.
 *
 * <p>Thread: the classes are stateless.
 */
@NullMarked
package dev.medley.plan.strategy;

import org.jspecify.annotations.NullMarked;

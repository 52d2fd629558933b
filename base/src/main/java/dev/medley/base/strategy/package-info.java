/**
 * Says how workers exchange what they learn, as a job file words it: which strategy, which codec,
 * rounds, quorum and streams.
 *
 * <p>May use: base. Never: what carries it out.
 *
 * <p>Thread: values; any.
 */
@NullMarked
package dev.medley.base.strategy;

import org.jspecify.annotations.NullMarked;

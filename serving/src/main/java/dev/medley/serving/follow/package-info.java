/**
 * Follows aliases of a registry: loads what they lead to, deals traffic out by their plans, and
 * judges canaries.
 *
 * <p>May use: base, serving.host, serving.registry, serving.traffic. Never: protocols, Armeria.
 *
 * <p>Thread: one looks; the judge has one of its own.
 */
@NullMarked
package dev.medley.serving.follow;

import org.jspecify.annotations.NullMarked;

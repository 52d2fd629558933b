/**
 * Chooses the codec of each border between sites by what the link carries and what precision costs.
 *
 * <p>May use: base, profile, the policies and sources of plans. Never: clocks, files, sockets.
 *
 * <p>Thread: a plan belongs to the coordinator's thread; the policies are pure.
 */
@NullMarked
package dev.medley.plan.codec;

import org.jspecify.annotations.NullMarked;

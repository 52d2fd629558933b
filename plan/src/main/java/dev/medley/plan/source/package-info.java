/**
 * Plans a group, and plans it anew as it runs: each source wraps the next and decides one thing by
 * a policy.
 *
 * <p>May use: base, profile, record's entries, the policies. Never: clocks, files, sockets.
 *
 * <p>Thread: a source belongs to the coordinator's thread.
 */
@NullMarked
package dev.medley.plan.source;

import org.jspecify.annotations.NullMarked;

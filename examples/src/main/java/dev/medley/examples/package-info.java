/**
 * Shows classes of one's own in a job, one of each kind: docs/extending.md. They are compiled with
 * the build, and trained with in its tests.
 *
 * <p>May use: what a user may. Never: what is not public.
 *
 * <p>Thread: see each interface.
 */
@NullMarked
package dev.medley.examples;

import org.jspecify.annotations.NullMarked;

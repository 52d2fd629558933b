/**
 * Knows what a sample is worth under each strategy: measured tables, lessons of earlier runs,
 * learning curves.
 *
 * <p>May use: base, profile. Never: sockets; files but for the lessons it keeps.
 *
 * <p>Thread: values; a cache belongs to one thread.
 */
@NullMarked
package dev.medley.plan.efficiency;

import org.jspecify.annotations.NullMarked;

/**
 * Holds what callers may ask of a hub and what it answers, the same in one process and over HTTP.
 *
 * <p>May use: base, the fleet's state. Never: HTTP, files, processes.
 *
 * <p>Thread: values; a service is safe for many threads.
 */
@NullMarked
package dev.medley.hub.service;

import org.jspecify.annotations.NullMarked;

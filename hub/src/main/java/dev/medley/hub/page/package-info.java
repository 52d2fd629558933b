/**
 * Holds the pages that a hub serves: the fleet's, and a readable one of the interface's document.
 * Their files lie beside as resources; style and charts are those of a run's report. Neither page
 * holds data: a browser asks for it with a token.
 *
 * <p>May use: record's report. Never: HTTP, the service.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.hub.page;

import org.jspecify.annotations.NullMarked;

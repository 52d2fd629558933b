/**
 * Describes a server to people and programs: its interface in OpenAPI, and a page on which models
 * are tried by hand.
 *
 * <p>May use: base, data.encoding, serving.host, serving.input, Armeria. Never: LibTorch, files.
 *
 * <p>Thread: Armeria's event loops.
 */
@NullMarked
package dev.medley.serving.page;

import org.jspecify.annotations.NullMarked;

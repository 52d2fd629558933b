/**
 * Encodes values in fewer bytes, nearly unchanged: codecs for what crosses the border of a site.
 * What they leave out is sent with the next step. {@code docs/exchange.md}, "Codecs".
 *
 * <p>May use: base. Never: the rest of the exchange, sockets.
 *
 * <p>Thread: whoever holds the exchange's role, or the monitor of a site's servers for their own.
 */
@NullMarked
package dev.medley.exchange.codec;

import org.jspecify.annotations.NullMarked;

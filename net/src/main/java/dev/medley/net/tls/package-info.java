/**
 * Establishes who belongs to a cluster, by a certificate of its authority and a join token. Both
 * are read from a folder that {@code medley certs} made. Both sides of every connection show a
 * certificate, TLS 1.3 only.
 *
 * <p>May use: base. Never: sockets that connect or listen; {@code control} and {@code link} own
 * those.
 *
 * <p>Thread: values, safe on any thread.
 */
@NullMarked
package dev.medley.net.tls;

import org.jspecify.annotations.NullMarked;

/**
 * Makes what {@code tls} reads: a cluster's authority, and a certificate and the join token for
 * each of its machines.
 *
 * <p>May use: base, tls, the JDK's keytool as a process, since no public API of the JDK makes
 * certificates. Never: sockets.
 *
 * <p>Thread: any one thread.
 */
@NullMarked
package dev.medley.net.certs;

import org.jspecify.annotations.NullMarked;

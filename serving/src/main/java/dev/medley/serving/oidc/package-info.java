/**
 * Knows callers by tokens of an OpenID Connect issuer. Nimbus JOSE+JWT stays behind this wall.
 *
 * <p>May use: base. Never: a model, the protocols.
 *
 * <p>Thread: any but an event loop, since keys are fetched where they are not known.
 */
@NullMarked
package dev.medley.serving.oidc;

import org.jspecify.annotations.NullMarked;

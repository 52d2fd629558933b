/**
 * Says who a request is of, for both protocols.
 *
 * <p>May use: base, Armeria. Never: models.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.serving.caller;

import org.jspecify.annotations.NullMarked;

/**
 * Keeps the models that are served: loads, warms up, hands out, drains and closes them.
 *
 * <p>May use: base, inference, the packages of serving but protocols. Never: Armeria.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.serving.host;

import org.jspecify.annotations.NullMarked;

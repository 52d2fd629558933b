/**
 * Holds what a user wrote of a loop in its file, valid by construction.
 *
 * <p>May use: base, features, api's reader of YAML. Never: databases, models.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.loop.spec;

import org.jspecify.annotations.NullMarked;

/**
 * Keeps versions of models in a folder or an object store, with what they came of. It says which of
 * them answers under which alias, and who decided that when.
 *
 * <p>May use: base, store. Never: models in memory, Armeria.
 *
 * <p>Thread: any; several processes may use one place.
 */
@NullMarked
package dev.medley.serving.registry;

import org.jspecify.annotations.NullMarked;

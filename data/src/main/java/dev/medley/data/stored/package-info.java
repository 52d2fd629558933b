/**
 * Brings data from object stores to files of this machine, where all readers find it.
 *
 * <p>May use: base, data.shard for its progress, store.file, store.object. Never: other packages of
 * data.
 *
 * <p>Thread: the caller's; objects come on threads of their own.
 */
@NullMarked
package dev.medley.data.stored;

import org.jspecify.annotations.NullMarked;

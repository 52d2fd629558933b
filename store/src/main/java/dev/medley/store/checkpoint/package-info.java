/**
 * Stages, writes and finds checkpoints: the state of a run is copied at once, written beside
 * training, and found again whole.
 *
 * <p>May use: base, store.file. Never: LibTorch, sockets, the data set packages.
 *
 * <p>Thread: one caller offers; one writer thread of the store's own writes; results go back to the
 * caller as values. Reading needs no store and works from any thread.
 */
@NullMarked
package dev.medley.store.checkpoint;

import org.jspecify.annotations.NullMarked;

/**
 * Provides native memory with long lengths, and the arrays and batches that lie in it.
 *
 * <p>May use: base. Never: LibTorch, sockets, files.
 *
 * <p>Thread: a span may be passed between threads; whoever writes it says so in its own contract.
 */
@NullMarked
package dev.medley.base.memory;

import org.jspecify.annotations.NullMarked;

/**
 * Cuts texts into tokens: byte pairs, learnt here or read from a {@code tokenizer.json}, and word
 * pieces that were read.
 *
 * <p>May use: base. Never: DuckDB, LibTorch, sockets.
 *
 * <p>Thread: {@link dev.medley.data.token.Tokens} is a value; a tokenizer belongs to one thread.
 */
@NullMarked
package dev.medley.data.token;

import org.jspecify.annotations.NullMarked;

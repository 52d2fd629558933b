/**
 * Writes and reads files that are whole or absent. It has atomic files and folders, sealed JSON,
 * safetensors, checksums, and the two answers to a disk that is full or read-only.
 *
 * <p>May use: base. Never: DuckDB, sockets, LibTorch, other packages of this module.
 *
 * <p>Thread: every call does its work on the caller's thread; nothing is shared except the names of
 * temporary files under way, which are safe everywhere.
 */
@NullMarked
package dev.medley.store.file;

import org.jspecify.annotations.NullMarked;

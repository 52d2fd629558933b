/**
 * Serves models over HTTP and gRPC on one port.
 *
 * <p>May use: base, record's figures, the packages of serving, Armeria. Never: LibTorch, files.
 *
 * <p>Thread: Armeria's event loops read and write; long requests are decoded on its blocking
 * threads.
 */
@NullMarked
package dev.medley.serving.http;

import org.jspecify.annotations.NullMarked;

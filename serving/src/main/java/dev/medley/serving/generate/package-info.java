/**
 * Lets language models go on with a text over HTTP, in the form of Triton's and KServe's generate
 * extension: whole answers, and streams of pieces.
 *
 * <p>May use: base, inference, serving.host, Armeria. Never: LibTorch, files.
 *
 * <p>Thread: a few of its own generate; Armeria's event loops write.
 */
@NullMarked
package dev.medley.serving.generate;

import org.jspecify.annotations.NullMarked;

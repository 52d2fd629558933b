/**
 * Reads and writes the messages of the Open Inference Protocol, version 2
 * (github.com/kserve/open-inference-protocol), with Triton's binary tensors: JSON and bytes to
 * arrays, and back.
 *
 * <p>May use: base, Jackson's streams, serving.tensor, serving.input. Never: models, Armeria.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.serving.protocol;

import org.jspecify.annotations.NullMarked;

/**
 * Makes small trained models, for tests of what is done with them.
 *
 * <p>May use: all that training uses. Never: servers, processes.
 *
 * <p>Thread: the test's.
 */
@NullMarked
package dev.medley.onnx.given;

import org.jspecify.annotations.NullMarked;

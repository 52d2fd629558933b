/**
 * Keeps a trained model as a folder: weights in safetensors, everything else in model.json.
 *
 * <p>May use: base, store.file. Never: LibTorch, sockets, the data set packages (an encoding is an
 * opaque tree here).
 *
 * <p>Thread: functions; reading a folder is safe from any number of threads.
 */
@NullMarked
package dev.medley.store.model;

import org.jspecify.annotations.NullMarked;

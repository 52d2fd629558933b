/**
 * Does what is done with requests beside answering them: figures of explanations, and the log.
 *
 * <p>May use: host, explain, log, Armeria. Never: http and grpc, which use it.
 *
 * <p>Thread: any; nothing here waits.
 */
@NullMarked
package dev.medley.serving.observe;

import org.jspecify.annotations.NullMarked;

/**
 * Holds the commands about Kubernetes: the operator, what it makes, and the coordinator of a pod.
 *
 * <p>May use: kubernetes, api and what the terminal needs. Never: fabric8.
 *
 * <p>Thread: the main thread.
 */
@NullMarked
package dev.medley.cli.kubernetes;

import org.jspecify.annotations.NullMarked;

/**
 * Surveys a cluster: each worker dials the others and measures the links, and computes nothing.
 *
 * <p>May use: dev.medley.worker and what it may use. Never: training, tensor, control.
 *
 * <p>Thread: the worker's.
 */
@NullMarked
package dev.medley.worker.survey;

import org.jspecify.annotations.NullMarked;

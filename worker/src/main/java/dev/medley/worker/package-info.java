/**
 * Runs a worker's life, whatever it works at: it joins, is given a task, follows the coordinator's
 * orders, and leaves. It knows an address and its welcome, but nothing of what started it.
 *
 * <p>May use: base, net, exchange, store, data, profile. Never: training, tensor, control: tasks
 * are handed in by name.
 *
 * <p>Thread: {@link dev.medley.worker.WorkerSession} is shared by the control connection's reading
 * thread and the worker's own; everything else belongs to the worker's thread.
 */
@NullMarked
package dev.medley.worker;

import org.jspecify.annotations.NullMarked;

/**
 * Runs a resolved job: prepares the data, starts coordinator and workers, and keeps the record in
 * the run's folder. It is the only place where control and training are wired together.
 *
 * <p>May use: control, plan, training, inference, data, store, profile, record. Never: the command
 * line.
 *
 * <p>Thread: the caller's, for as long as the run lasts.
 */
@NullMarked
package dev.medley.api.run;

import org.jspecify.annotations.NullMarked;

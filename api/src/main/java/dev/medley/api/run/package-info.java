/**
 * One run from a resolved job to its folder: prepares the data, starts coordinator and workers,
 * keeps the record. The only place where control and training are wired together.
 *
 * <p>May use: control, training, store, profile. Never: the command line.
 *
 * <p>Thread: the caller's, for as long as the run lasts.
 */
@NullMarked
package dev.medley.api.run;

import org.jspecify.annotations.NullMarked;

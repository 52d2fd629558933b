/**
 * Records what a run leaves behind: one folder with the job, the plans, a line per step,
 * evaluations, events and a summary. The record is written while the run trains, so that a kill
 * loses at most the line under way, and read back by the report and the command line.
 *
 * <p>May use: base, cluster. Never: tensor, store, net, HTML.
 *
 * <p>Thread: records are values; {@link dev.medley.profile.record.RunRecorder} may be called from
 * any thread.
 */
@NullMarked
package dev.medley.profile.record;

import org.jspecify.annotations.NullMarked;

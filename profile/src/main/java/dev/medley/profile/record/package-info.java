/**
 * What a run leaves behind: one folder with the job, the plans, a line per step, evaluations,
 * events and a summary. Written while the run goes on so that a kill loses at most the line under
 * way, and read back by the report and the command line.
 *
 * <p>May use: base, span. Never: tensor, store, net, HTML.
 *
 * <p>Thread: records are values; {@link dev.medley.profile.record.RunRecorder} may be called from
 * any thread.
 */
@NullMarked
package dev.medley.profile.record;

import org.jspecify.annotations.NullMarked;

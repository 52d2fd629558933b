package dev.medley.api.run;

import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.folder.RunFolder;
import java.nio.file.Path;

/**
 * The result of a run: its record, outcome, figures and report.
 *
 * @param folder of its record
 * @param outcome how it ended
 * @param summary its figures
 * @param report the page that shows it
 */
public record RunResult(RunFolder folder, RunOutcome outcome, RunSummary summary, Path report) {}

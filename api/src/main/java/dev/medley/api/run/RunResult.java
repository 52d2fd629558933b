package dev.medley.api.run;

import dev.medley.control.coordinator.RunOutcome;
import dev.medley.profile.record.RunFolder;
import dev.medley.profile.record.RunSummary;
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

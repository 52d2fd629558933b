package dev.medley.hub.service;

import dev.medley.fleet.state.JobPhase;
import java.util.List;

/**
 * Shows one job as it is now.
 *
 * @param queuePosition from 1 while it waits, else 0
 * @param why one sentence: what it waits for, or why it runs where it does, or how it ended
 * @param machines that it holds
 * @param runFolder on the hub's machine; empty before it was started
 */
public record JobStatus(
        long id,
        Submission submission,
        JobPhase phase,
        int queuePosition,
        String why,
        List<String> machines,
        JobFigures figures,
        String runFolder) {
    public JobStatus {
        machines = List.copyOf(machines);
    }
}

package dev.medley.fleet.state;

import java.util.Objects;

/**
 * Holds what a job's user handed in.
 *
 * @param kind jobs of one kind run at the same rates
 * @param file the job's file, as text
 * @param folder against which paths in it are resolved
 * @param minMachines from 1
 * @param maxMachines that it can use at once
 * @param data what is known of them; an older journal says nothing
 */
public record JobRequest(
        String name,
        String kind,
        String file,
        String folder,
        JobOwner owner,
        int minMachines,
        int maxMachines,
        JobData data) {
    public JobRequest {
        data = Objects.requireNonNullElse(data, JobData.UNKNOWN);
    }

    /** Of a job of whose data nothing is known. */
    public JobRequest(
            String name,
            String kind,
            String file,
            String folder,
            JobOwner owner,
            int minMachines,
            int maxMachines) {
        this(name, kind, file, folder, owner, minMachines, maxMachines, JobData.UNKNOWN);
    }
}

package dev.medley.fleet.state;

/**
 * Holds what a job's user handed in.
 *
 * @param kind jobs of one kind run at the same rates
 * @param file the job's file, as text
 * @param folder against which paths in it are resolved
 * @param minMachines from 1
 * @param maxMachines that it can use at once
 */
public record JobRequest(
        String name,
        String kind,
        String file,
        String folder,
        JobOwner owner,
        int minMachines,
        int maxMachines) {}

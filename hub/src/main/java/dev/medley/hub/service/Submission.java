package dev.medley.hub.service;

/**
 * Holds a job as its user hands it in.
 *
 * @param name of the job; unique names are not needed
 * @param jobFile the text of the job's file
 * @param folder against which paths in the file are resolved, as the hub's machine sees it
 * @param user whose job it is; the hub replaces it by whom the token names
 * @param minMachines 0 where the user said nothing
 * @param maxMachines 0 where the user said nothing
 */
public record Submission(
        String name,
        String jobFile,
        String folder,
        String user,
        SubmitTerms terms,
        int minMachines,
        int maxMachines) {}

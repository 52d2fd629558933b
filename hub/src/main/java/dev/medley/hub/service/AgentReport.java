package dev.medley.hub.service;

import java.util.List;

/**
 * Says how an agent is.
 *
 * @param build of Medley that it runs: a hub takes its own alone
 * @param machine what it offers, once measured
 * @param serves what it serves now
 * @param leavingInS seconds until the machine is taken away; negative while nobody said so
 */
public record AgentReport(
        String name,
        String site,
        String build,
        OfferedMachine machine,
        List<Long> serves,
        double leavingInS) {
    public AgentReport {
        serves = List.copyOf(serves);
    }
}

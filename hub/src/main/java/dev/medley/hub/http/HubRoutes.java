package dev.medley.hub.http;

import dev.medley.base.ConfigException;
import dev.medley.fleet.state.Tenure;
import dev.medley.hub.http.HubCaller.Role;
import dev.medley.hub.service.AgentOrders;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.FleetStatus;
import dev.medley.hub.service.HubService;
import dev.medley.hub.service.JobCurve;
import dev.medley.hub.service.JobReason;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.LogPart;
import dev.medley.hub.service.Submission;
import java.util.List;
import java.util.function.Function;

/** Lists all routes of a hub. */
final class HubRoutes {
    private static final String BASE = "/api/v1";

    private final HubService hub;

    HubRoutes(HubService hub) {
        this.hub = hub;
    }

    List<HubRoute> all() {
        return List.of(
                new HubRoute(
                        "POST",
                        BASE + "/jobs",
                        Role.USER,
                        "Hand in a job.",
                        Submission.class,
                        JobStatus.class,
                        this::submit),
                get("/jobs", "All jobs.", JobStatus[].class, call -> hub.jobs()),
                get("/jobs/{id}", "One job.", JobStatus.class, call -> hub.job(call.id())),
                get(
                        "/jobs/{id}/why",
                        "What a job waits for, or why it runs where it does.",
                        JobReason.class,
                        call -> hub.why(call.id())),
                get(
                        "/jobs/{id}/log",
                        "A part of a job's log; from=BYTE.",
                        LogPart.class,
                        call -> hub.log(call.id(), call.number("from", 0).longValue())),
                get(
                        "/jobs/{id}/curve",
                        "How a job's loss went.",
                        JobCurve.class,
                        call -> hub.curve(call.id())),
                change("cancel", "End a job, with a checkpoint.", hub::cancel),
                change("pause", "Take its machines from a job.", hub::pause),
                change("resume", "Let a paused job back into the queue.", hub::resume),
                get("/fleet", "All machines.", FleetStatus.class, call -> hub.fleet()),
                get(
                        "/timeline",
                        "Who held which machine when; since=SECONDS of the epoch.",
                        Tenure[].class,
                        call -> hub.timeline(call.number("since", 0))),
                new HubRoute(
                        "POST",
                        BASE + "/agents",
                        Role.AGENT,
                        "An agent reports its machine, and hears which runs to serve.",
                        AgentReport.class,
                        AgentOrders.class,
                        call -> hub.report(call.body(AgentReport.class))));
    }

    private static HubRoute get(
            String path, String summary, Class<?> answer, HubRoute.Handler handler) {
        return new HubRoute("GET", BASE + path, Role.VIEWER, summary, null, answer, handler);
    }

    private HubRoute change(String verb, String summary, Function<Long, JobStatus> act) {
        return new HubRoute(
                "POST",
                BASE + "/jobs/{id}/" + verb,
                Role.USER,
                summary,
                null,
                JobStatus.class,
                call -> {
                    requireOwn(call);
                    return act.apply(call.id());
                });
    }

    private void requireOwn(HubCall call) {
        String owner = hub.job(call.id()).submission().user();
        if (call.caller().role() != Role.ADMIN && !owner.equals(call.caller().name())) {
            throw new HubRefusal(
                    403,
                    "job %d is %s's, and this token is %s's: its user or an admin may do that"
                            .formatted(call.id(), owner, call.caller().name()));
        }
    }

    private JobStatus submit(HubCall call) {
        Submission given = call.body(Submission.class);
        String user = call.caller().name();
        ConfigException.check(
                given.user().isEmpty()
                        || given.user().equals(user)
                        || call.caller().role() == Role.ADMIN,
                "the job is said to be %s's, and this token is %s's",
                given.user(),
                user);
        return hub.submit(
                new Submission(
                        given.name(),
                        given.jobFile(),
                        given.folder(),
                        given.user().isEmpty() ? user : given.user(),
                        given.terms(),
                        given.minMachines(),
                        given.maxMachines()));
    }
}

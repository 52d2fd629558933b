package dev.medley.hub.http;

import com.linecorp.armeria.common.HttpMethod;
import dev.medley.base.ConfigException;
import dev.medley.fleet.state.Tenure;
import dev.medley.hub.http.Endpoint.Action;
import dev.medley.hub.http.Endpoint.Shape;
import dev.medley.hub.http.Endpoint.Words;
import dev.medley.hub.service.AgentOrders;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.CurvePoint;
import dev.medley.hub.service.FleetCounters;
import dev.medley.hub.service.FleetStatus;
import dev.medley.hub.service.HubService;
import dev.medley.hub.service.JobReason;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.LogPart;
import dev.medley.hub.service.OfferedMachine;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import dev.medley.hub.service.TermsChange;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Lists what a hub answers, each with its path, who may ask, and what goes in and out. */
final class Endpoints {
    static final String ROOT = "/api/v1";

    private static final Submission NO_SUBMISSION =
            new Submission("", "", "", "", SubmitTerms.NONE, 0, 0);
    private static final AgentReport NO_REPORT =
            new AgentReport(
                    "", "", "", new OfferedMachine("", 0, 0, 0, "", false, -1), List.of(), -1);

    private final HubService service;
    private final PageCodes codes;

    private Endpoints(HubService service, PageCodes codes) {
        this.service = service;
        this.codes = codes;
    }

    /** All routes over a service. */
    static List<Endpoint> of(HubService service, PageCodes codes) {
        Endpoints all = new Endpoints(service, codes);
        return List.of(
                all.submit(),
                look("/jobs", "jobs", "All jobs that the hub knows, by id.", all.jobs()),
                aJob("", "job", "One job as it is now.", JobStatus.class, service::job),
                aJob(
                        "/why",
                        "why",
                        "What a job waits for, or why it runs where it runs.",
                        JobReason.class,
                        service::why),
                aJob(
                        "/curve",
                        "curve",
                        "How a job learns, oldest first.",
                        CurvePoint[].class,
                        service::curve),
                all.log(),
                all.change(),
                all.steer("cancel", "Ends a job; a checkpoint keeps what it has learnt."),
                all.steer("pause", "Takes a job's machines at its next step border."),
                all.steer("resume", "Lets a paused job back into the queue."),
                look("/fleet", "fleet", "All machines, and what is known of them.", all.fleet()),
                all.timeline(),
                look("/counters", "counters", "What the hub did since it began.", all.counters()),
                all.report(),
                all.link(),
                all.login());
    }

    private Endpoint submit() {
        return new Endpoint(
                HttpMethod.POST,
                ROOT + "/jobs",
                Right.SUBMIT,
                new Words("submit", "Takes a job into the queue, under the name of the token."),
                new Shape(List.of(), NO_SUBMISSION, JobStatus.class),
                call -> {
                    Submission given = call.body(Submission.class);
                    ConfigException.check(
                            !given.jobFile().isBlank(),
                            "the job has no jobFile: give the text of its file there");
                    return service.submit(named(given, call.caller()));
                });
    }

    private static Submission named(Submission given, Bearer caller) {
        return new Submission(
                given.name(),
                given.jobFile(),
                given.folder(),
                caller.name(),
                given.terms(),
                given.minMachines(),
                given.maxMachines());
    }

    private record Look(Class<?> answer, Action action) {}

    private Look jobs() {
        return new Look(JobStatus[].class, call -> service.jobs());
    }

    private Look fleet() {
        return new Look(FleetStatus.class, call -> service.fleet());
    }

    private Look counters() {
        return new Look(FleetCounters.class, call -> service.counters());
    }

    private static Endpoint look(String path, String name, String summary, Look look) {
        return new Endpoint(
                HttpMethod.GET,
                ROOT + path,
                Right.LOOK,
                new Words(name, summary),
                Shape.answering(look.answer()),
                look.action());
    }

    private static Endpoint aJob(
            String path, String name, String summary, Class<?> answer, LongFunction<?> asks) {
        return look(
                "/jobs/{id}" + path,
                name,
                summary,
                new Look(answer, call -> asks.apply(call.job())));
    }

    private Endpoint log() {
        return new Endpoint(
                HttpMethod.GET,
                ROOT + "/jobs/{id}/log",
                Right.LOOK,
                new Words("log", "A part of what a job's run has printed, from a byte on."),
                new Shape(List.of("from"), null, LogPart.class),
                call -> service.log(call.job(), (long) call.number("from", 0)));
    }

    private Endpoint change() {
        return new Endpoint(
                HttpMethod.POST,
                ROOT + "/jobs/{id}/terms",
                Right.STEER,
                new Words("change", "Gives a job other terms; what is left out stays."),
                new Shape(List.of(), TermsChange.NONE, JobStatus.class),
                call -> {
                    long id = call.job();
                    call.caller().requireOwn(id, service.job(id).submission().user());
                    return service.change(id, call.body(TermsChange.class));
                });
    }

    private Endpoint steer(String verb, String summary) {
        return new Endpoint(
                HttpMethod.POST,
                ROOT + "/jobs/{id}/" + verb,
                Right.STEER,
                new Words(verb, summary),
                Shape.answering(JobStatus.class),
                call -> {
                    long id = call.job();
                    call.caller().requireOwn(id, service.job(id).submission().user());
                    return switch (verb) {
                        case "cancel" -> service.cancel(id);
                        case "pause" -> service.pause(id);
                        default -> service.resume(id);
                    };
                });
    }

    private Endpoint timeline() {
        return new Endpoint(
                HttpMethod.GET,
                ROOT + "/timeline",
                Right.LOOK,
                new Words("timeline", "Who held which machine when, since a second of the epoch."),
                new Shape(List.of("since"), null, Tenure[].class),
                call -> service.timeline(call.number("since", 0)));
    }

    private Endpoint report() {
        return new Endpoint(
                HttpMethod.POST,
                ROOT + "/agents/{name}",
                Right.REPORT,
                new Words("report", "An agent says how it is, and hears which jobs to serve."),
                new Shape(List.of(), NO_REPORT, AgentOrders.class),
                call -> {
                    AgentReport given = call.body(AgentReport.class);
                    @Nullable String name = call.path().get("name");
                    ConfigException.check(
                            given.name().equals(name),
                            "the report is of agent '%s', and the path names '%s'",
                            given.name(),
                            name);
                    return service.report(given);
                });
    }

    private Endpoint link() {
        return new Endpoint(
                HttpMethod.POST,
                ROOT + "/links",
                Right.LOOK,
                new Words("link", "Makes a link to the page that is good once, for this token."),
                Shape.answering(PageCodes.Link.class),
                call -> codes.link(call.caller()));
    }

    private Endpoint login() {
        return new Endpoint(
                HttpMethod.POST,
                ROOT + "/login",
                null,
                new Words("login", "Gives a page its own token for the code of such a link."),
                new Shape(List.of(), new PageCodes.Code(""), PageCodes.Entrance.class),
                call -> codes.enter(call.body(PageCodes.Code.class)));
    }
}

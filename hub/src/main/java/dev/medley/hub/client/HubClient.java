package dev.medley.hub.client;

import dev.medley.base.ConfigException;
import dev.medley.fleet.state.Tenure;
import dev.medley.hub.service.AgentOrders;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.CurvePoint;
import dev.medley.hub.service.FleetCounters;
import dev.medley.hub.service.FleetStatus;
import dev.medley.hub.service.HubService;
import dev.medley.hub.service.JobReason;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.LogPart;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.TermsChange;
import dev.medley.net.tls.Credentials;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks a hub over HTTP. Questions, and the reports of agents, are asked again where a connection
 * breaks; nothing is that would do a thing twice. Whatever the hub refuses, and a hub that is away,
 * is a {@link ConfigException} with one sentence.
 *
 * <p>Thread: any number; connections are kept and shared.
 */
public final class HubClient implements HubService {
    private final HubCalls calls;

    private HubClient(HubCalls calls) {
        this.calls = calls;
    }

    /**
     * Asks the hub at an address; nothing is sent yet.
     *
     * @param token as the hub's folder has it
     * @param credentials of this machine, where the hub speaks TLS; null on loopback
     */
    public static HubClient to(
            HubAddress address, String token, @Nullable Credentials credentials) {
        return new HubClient(new HubCalls(address, token, credentials));
    }

    /**
     * Asks a hub that the same user started on this machine, with the token that it left for him.
     *
     * @throws HubAwayException if there is none yet
     * @throws ConfigException if what it left is not this user's alone
     */
    public static HubClient ofThisUser(HubAddress address) {
        return ofThisUser(address, null);
    }

    /** The same where the hub speaks TLS, since other machines reach it. */
    public static HubClient ofThisUser(HubAddress address, @Nullable Credentials credentials) {
        try {
            String token = LocalHubs.ofThisUser().at(address.resolved());
            if (token == null) {
                throw new HubAwayException(
                        ("no hub of this user listens at %s: start one with medley hub, or give"
                                        + " a token of the hub that is there")
                                .formatted(address));
            }
            return to(address, token, credentials);
        } catch (IOException e) {
            throw new ConfigException(
                    "the token of the hub at %s cannot be used: %s"
                            .formatted(address, e.getMessage()),
                    e);
        }
    }

    @Override
    public JobStatus submit(Submission submission) {
        return calls.once("/jobs", submission, JobStatus.class);
    }

    @Override
    public List<JobStatus> jobs() {
        return List.of(calls.get("/jobs", JobStatus[].class));
    }

    @Override
    public JobStatus job(long id) {
        return calls.get("/jobs/" + id, JobStatus.class);
    }

    @Override
    public JobReason why(long id) {
        return calls.get("/jobs/" + id + "/why", JobReason.class);
    }

    @Override
    public JobStatus change(long id, TermsChange change) {
        return calls.again("/jobs/" + id + "/terms", change, JobStatus.class);
    }

    @Override
    public JobStatus cancel(long id) {
        return calls.once("/jobs/" + id + "/cancel", null, JobStatus.class);
    }

    @Override
    public JobStatus pause(long id) {
        return calls.once("/jobs/" + id + "/pause", null, JobStatus.class);
    }

    @Override
    public JobStatus resume(long id) {
        return calls.once("/jobs/" + id + "/resume", null, JobStatus.class);
    }

    @Override
    public LogPart log(long id, long fromByte) {
        return calls.get("/jobs/%d/log?from=%d".formatted(id, fromByte), LogPart.class);
    }

    @Override
    public FleetStatus fleet() {
        return calls.get("/fleet", FleetStatus.class);
    }

    @Override
    public List<Tenure> timeline(double sinceEpochS) {
        return List.of(calls.get("/timeline?since=" + sinceEpochS, Tenure[].class));
    }

    @Override
    public List<CurvePoint> curve(long id) {
        return List.of(calls.get("/jobs/" + id + "/curve", CurvePoint[].class));
    }

    @Override
    public FleetCounters counters() {
        return calls.get("/counters", FleetCounters.class);
    }

    @Override
    public AgentOrders report(AgentReport report) {
        String name = URLEncoder.encode(report.name(), StandardCharsets.UTF_8).replace("+", "%20");
        return calls.again("/agents/" + name, report, AgentOrders.class);
    }

    /** A link that opens the hub's page once, with the rights of this client's token. */
    public String pageLink() {
        return calls.root() + calls.again("/links", null, PagePath.class).path();
    }

    private record PagePath(String path) {}
}

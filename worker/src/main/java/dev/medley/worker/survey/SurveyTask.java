package dev.medley.worker.survey;

import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.Work;
import dev.medley.base.job.Work.Survey.Look;
import dev.medley.base.route.RelayChoice;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.ExchangeOptions;
import dev.medley.exchange.Formation;
import dev.medley.net.control.Message;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.ReachReport;
import dev.medley.worker.LinkReports;
import dev.medley.worker.Listening;
import dev.medley.worker.Task;
import dev.medley.worker.TaskStart;
import dev.medley.worker.WorkerSession;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Surveys a cluster, without data and model. It takes part in one group, dials all others at the
 * addresses that they advertise, forms with them as in a run while all paths are measured, reports
 * what it found, and is finished.
 *
 * <p>Thread: the worker's.
 */
public final class SurveyTask implements Task {
    private static final long REACH_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long FORM_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int BUFFER_BYTES = 64;

    private final Look look;
    private final WorkerId self;
    private final WorkerSettings place;
    private final WorkerSession session;
    private final ExchangeEndpoint endpoint;

    private SurveyTask(Look look, TaskStart start, ExchangeEndpoint endpoint) {
        this.look = look;
        this.self = start.self();
        this.place = start.place();
        this.session = start.life().session();
        this.endpoint = endpoint;
    }

    /** Opens the port that others dial. */
    public static SurveyTask open(TaskStart start) {
        JobSpec job = Json.bind(start.welcome().assignment(), JobSpec.class);
        if (!(job.work() instanceof Work.Survey survey)) {
            throw new IllegalStateException(
                    "a survey was named, and the job is: " + job.work().name());
        }
        start.requireOwn(job);
        ExchangeOptions options =
                ExchangeOptions.of(start.token())
                        .securing(Listening.security(job.cluster(), start.credentials()))
                        .waitingAtMost(FORM_NS, FORM_NS)
                        .surveying(ExchangeOptions.Survey.WHOLE);
        ExchangeEndpoint endpoint = Listening.at(start.place(), options, start.life().clock());
        start.life().session().use(endpoint);
        return new SurveyTask(survey.look(), start, endpoint);
    }

    @Override
    public Readiness ready(TrialScope trial, IntConsumer trying) {
        Member member =
                new Member(
                        self,
                        ExchangeEndpoint.hostKey(),
                        place.site(),
                        place.advertise(),
                        endpoint.dataPort(),
                        "none");
        return new Readiness(member, new Progress(0, false), List.of(), List.of());
    }

    @Override
    public void take(View view) {
        Group group = view.group();
        boolean reachesAll = reach(group);
        if (look == Look.PATHS && reachesAll) {
            measure(group);
        }
        session.say(new Message.Finished(group.epoch(), 0, "", "the cluster was looked at"));
    }

    /** Nothing is computed here. */
    @Override
    public Message.Tried tryAlone(int samples) {
        return new Message.Tried(samples, 1);
    }

    @Override
    public void leave() {}

    @Override
    public void saveAndLeave() {}

    @Override
    public void leaveOrphaned() {}

    private boolean reach(Group group) {
        List<String> why = endpoint.reach(group, self, REACH_NS);
        RelayChoice relays = RelayChoice.of(group);
        int own = group.rankOf(self);
        Map<Integer, String> byWorker = new TreeMap<>();
        Map<Integer, Integer> through = new TreeMap<>();
        for (int rank = 0; rank < group.size(); rank++) {
            int worker = id(group, rank);
            if (rank != own) {
                byWorker.put(worker, why.get(rank));
            }
            relays.between(own, rank).ifPresent(relay -> through.put(worker, id(group, relay)));
        }
        ReachReport report = new ReachReport(self.value(), byWorker, through);
        session.say(new Message.Noted("reach", Json.tree(report)));
        return why.stream().allMatch(String::isEmpty);
    }

    private static int id(Group group, int rank) {
        return group.members().get(rank).worker().value();
    }

    private void measure(Group group) {
        Formation formation = endpoint.form(group, self, Transport.TCP, BUFFER_BYTES);
        if (formation instanceof Formation.Failed failed) {
            session.say(new Message.Noted("trouble", Json.tree(failed.fault().message())));
        } else if (formation instanceof Formation.Formed formed) {
            if (group.rankOf(self) == 0 && formed.survey() != null) {
                LinkReport report = LinkReports.of(group, formed.survey());
                session.say(new Message.Noted("links", Json.tree(report)));
            }
            formed.collective().close();
        }
    }

    @Override
    public void close() {
        endpoint.close();
    }
}

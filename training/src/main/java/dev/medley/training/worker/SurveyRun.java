package dev.medley.training.worker;

import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.WorkerSettings;
import dev.medley.base.route.RelayChoice;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.time.Clock;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.ExchangeOptions;
import dev.medley.exchange.Formation;
import dev.medley.net.control.Message;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.net.tls.Credentials;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.ReachReport;
import dev.medley.training.worker.WorkerSession.Order;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a worker that surveys its cluster, without data and model. It takes part in one group, dials
 * all others at the addresses that they advertise, forms with them as in a run while all paths are
 * measured, reports what it found, and is finished.
 *
 * <p>Thread: the training thread.
 */
final class SurveyRun implements AutoCloseable {
    private static final long REACH_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long FORM_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int BUFFER_BYTES = 64;

    private final SurveyOrder order;
    private final WorkerId self;
    private final WorkerSettings place;
    private final WorkerSession session;
    private final ExchangeEndpoint endpoint;

    private SurveyRun(
            SurveyOrder order,
            WorkerId self,
            WorkerSettings place,
            WorkerSession session,
            ExchangeEndpoint endpoint) {
        this.order = order;
        this.self = self;
        this.place = place;
        this.session = session;
        this.endpoint = endpoint;
    }

    /** Opens the port that others dial. */
    static SurveyRun open(
            Message.Welcome welcome,
            String token,
            WorkerSettings place,
            @Nullable Credentials credentials,
            WorkerSession session,
            Clock clock) {
        SurveyOrder order = Json.bind(welcome.assignment(), SurveyOrder.class);
        ExchangeOptions options =
                ExchangeOptions.of(token)
                        .securing(WorkerRun.security(order.job(), credentials))
                        .waitingAtMost(FORM_NS, FORM_NS)
                        .surveying(ExchangeOptions.Survey.WHOLE);
        ExchangeEndpoint endpoint = WorkerRun.listening(options, place, clock);
        session.use(endpoint);
        return new SurveyRun(order, welcome.worker(), place, session, endpoint);
    }

    /** Until it is told to leave. */
    void work(long startUpNs) throws InterruptedException {
        Member member =
                new Member(
                        self,
                        ExchangeEndpoint.hostKey(),
                        place.site(),
                        place.advertise(),
                        endpoint.dataPort(),
                        "none");
        session.say(
                new Message.Ready(member, new Progress(0, false), startUpNs, List.of(), List.of()));
        while (true) {
            Order next = session.awaitOrder();
            if (next instanceof Order.Formed formed) {
                look(formed.view());
            } else if (next instanceof Order.Closed || next instanceof Order.Orphaned) {
                return;
            }
        }
    }

    private void look(View view) {
        Group group = view.group();
        boolean reachesAll = reach(group);
        if (order.look() == SurveyOrder.Look.WAYS && reachesAll) {
            measure(group);
        }
        session.say(new Message.Finished(group.epoch(), 0, "", "the cluster was looked at"));
    }

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

package dev.medley.exchange;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.MeasuredRoute;
import dev.medley.base.WorkerId;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.RelayChoice;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.base.route.Strands;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.time.Clock;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.post.Post;
import dev.medley.exchange.route.LinkSurvey;
import dev.medley.exchange.route.MachineMap;
import dev.medley.exchange.route.RingOrder;
import dev.medley.exchange.route.RouteChoice;
import dev.medley.exchange.route.Routing;
import dev.medley.exchange.shared.SegmentFolder;
import dev.medley.exchange.shared.SharedForming;
import dev.medley.exchange.sum.Transport;
import dev.medley.exchange.tcp.BorderCodecs;
import dev.medley.exchange.tcp.Residuals;
import dev.medley.exchange.tcp.TcpTransport;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Lane;
import dev.medley.net.link.Link;
import dev.medley.net.link.LinkListener;
import dev.medley.net.link.Mesh;
import dev.medley.net.link.Reach;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes one attempt of one member to form a collective; see {@link ExchangeEndpoint#form}. */
final class Forming {
    private static final Logger LOG = LoggerFactory.getLogger(Forming.class);

    /** The round trips of one rank to so many fit in a note. */
    private static final int MOST_MEASURED = 200;

    /** A relay's door answers at once, whatever its member does. */
    private static final long RELAY_ANSWER_NS = 2_000_000_000L;

    private final ExchangeOptions options;

    private final Mapper mapper;
    private final String run;
    private final Clock clock;
    private final Group group;
    private final int rank;
    private final Surveying surveying;
    private final Residuals residuals;
    private final AtomicReference<@Nullable Fault> calledOff = new AtomicReference<>();
    private volatile @Nullable Peers peers;

    /** The knowledge that this process keeps from earlier groups. */
    record Known(Surveying surveying, Residuals residuals) {}

    Forming(
            ExchangeOptions options,
            Mapper mapper,
            String run,
            Clock clock,
            Group group,
            WorkerId self,
            Known known) {
        this.options = options;
        this.mapper = mapper;
        this.run = run;
        this.clock = clock;
        this.group = group;
        this.rank = group.rankOf(self);
        this.surveying = known.surveying();
        this.residuals = known.residuals();
    }

    /** Ends the attempt. From any thread. */
    void callOff(Fault why) {
        calledOff.compareAndSet(null, why);
        Peers joined = peers;
        if (joined != null) {
            joined.abort(why);
        }
    }

    Formation form(
            LinkListener listener,
            StrategySpec.Transport wanted,
            long bufferBytes,
            @Nullable MeasuredRoute repeated,
            List<Lane> lanes) {
        long deadlineNs = clock.awakeNs() + options.formTimeoutNs();
        SiteMap sites = SiteMap.of(group);
        Peers joined = null;
        try {
            Mesh mesh =
                    Mesh.join(
                            listener,
                            group,
                            rank,
                            peer -> strands(lanes, sites, peer),
                            clock,
                            deadlineNs,
                            () -> calledOff.get() != null);
            joined =
                    new Peers(
                            group,
                            rank,
                            mesh,
                            clock,
                            options.formTimeoutNs(),
                            peer -> relayAnswers(listener, peer));
            peers = joined;
            Fault why = calledOff.get();
            if (why != null) {
                throw new FaultSignal(why);
            }
            RelayChoice.of(group).pairs().stream()
                    .filter(pair -> pair.relay() == rank || pair.joins(rank))
                    .forEach(pair -> LOG.info("Epoch {}: {}", group.epoch(), pair.why()));
            propose(joined, wanted, bufferBytes, repeated);
            LinkSurvey survey = survey(joined);
            MeasuredRoute route = repeated == null ? route(survey) : repeated;
            TcpTransport.Ways ways = new TcpTransport.Ways(all(survey, route), atSite(route));
            Transport transport =
                    mayShare(wanted) && route.isUsual()
                            ? sharedOrTcp(joined, ways, bufferBytes)
                            : tcp(joined, ways, whyNotShared(wanted), bufferBytes);
            joined.formed(options.stepTimeoutNs());
            LOG.info("Epoch {}, rank {}: {}", group.epoch(), rank, transport.description());
            Post post = lanes.contains(Lane.POST) ? post(joined) : null;
            return new Formation.Formed(
                    new AgentCollective(joined, transport, mates(), clock, post), survey, route);
        } catch (FaultSignal signal) {
            Fault fault = Objects.requireNonNullElse(calledOff.get(), signal.fault());
            if (joined != null) {
                joined.tell(fault);
                joined.close();
            }
            return new Formation.Failed(fault);
        }
    }

    /** The lanes to a peer: between sites those of sums have several strands. */
    private List<Lane> strands(List<Lane> lanes, SiteMap sites, int peer) {
        return lanes.stream()
                .flatMap(lane -> lane.strands(count(lane, sites, peer)).stream())
                .toList();
    }

    private int count(Lane lane, SiteMap sites, int peer) {
        return switch (lane.use()) {
            case DATA -> Strands.ofValues(sites, rank, peer);
            case SUMS -> Strands.ofSums(sites, rank, peer);
            case CONTROL, POST -> 1;
        };
    }

    private boolean relayAnswers(LinkListener listener, int peer) {
        return Reach.check(listener, group, rank, peer, clock, RELAY_ANSWER_NS).isEmpty();
    }

    private Post post(Peers joined) {
        List<Link> links =
                IntStream.range(0, group.size())
                        .filter(peer -> peer != rank)
                        .mapToObj(peer -> joined.link(peer, Lane.POST))
                        .toList();
        return new Post(rank, group.size(), links, clock, options.stepTimeoutNs());
    }

    /** Members that would go on differently do not begin. */
    private void propose(
            Peers all,
            StrategySpec.Transport wanted,
            long bufferBytes,
            @Nullable MeasuredRoute repeated)
            throws FaultSignal {
        String proposal =
                ("transport %s, buffer %d, direct %d, segment %d, between sites %s, %s, %s, survey"
                                + " %s, route %s")
                        .formatted(
                                wanted,
                                bufferBytes,
                                options.directBytes(),
                                options.segmentBytes(),
                                options.betweenSites().stream().sorted().toList(),
                                options.compress(),
                                options.codec(),
                                options.survey(),
                                repeated == null ? "to be measured" : said(repeated));
        checkEqual(all, proposal, all.vote(proposal));
    }

    private static String said(MeasuredRoute repeated) {
        return "%s, %d ns, %d bytes/s"
                .formatted(
                        repeated.ring(),
                        repeated.insideLatencyNs(),
                        repeated.insideBytesPerSecond());
    }

    private Transport sharedOrTcp(Peers all, TcpTransport.Ways ways, long bufferBytes)
            throws FaultSignal {
        SharedForming.Agreement agreement = shared(bufferBytes).agree(all, mates());
        return agreement.transport() != null
                ? agreement.transport()
                : tcp(all, ways, " (" + agreement.whyNot() + ")", bufferBytes);
    }

    /** Sites add one by one, which shared memory does not: a run of theirs repeats over TCP. */
    private boolean mayShare(StrategySpec.Transport wanted) {
        boolean isWanted =
                wanted == StrategySpec.Transport.SHARED_MEMORY
                        || (wanted == StrategySpec.Transport.AUTO && group.sites().size() == 1);
        return isWanted && group.isOnOneHost();
    }

    private String whyNotShared(StrategySpec.Transport wanted) {
        if (mayShare(wanted)) {
            return " (shared memory cannot add in the order of the run that is repeated)";
        }
        return wanted == StrategySpec.Transport.SHARED_MEMORY
                ? " (shared memory was asked for, but they are on several hosts)"
                : "";
    }

    private Transport tcp(Peers all, TcpTransport.Ways ways, String remark, long bufferBytes) {
        return new TcpTransport(
                all,
                mapper.reserve(bufferBytes),
                ways,
                remark,
                new TcpTransport.Between(
                        BorderCodecs.of(options.compress(), options.codec(), group.sites()),
                        residuals),
                options.directBytes(),
                options.segmentBytes());
    }

    /** The survey of the paths, the same on all ranks; null on one machine. */
    private @Nullable LinkSurvey survey(Peers all) throws FaultSignal {
        MachineMap machines = MachineMap.of(group);
        if (machines.size() == 1 || group.size() > MOST_MEASURED) {
            return null;
        }
        LinkSurvey survey = surveying.survey(all, SiteMap.of(group), machines);
        all.forgetTraffic();
        return survey;
    }

    /** The route of sums, from the measurements. */
    private MeasuredRoute route(@Nullable LinkSurvey survey) {
        return survey == null
                ? MeasuredRoute.NONE
                : RouteChoice.of(SiteMap.of(group), survey, options.directBytes());
    }

    /** The routing of sums over all. */
    private Routing all(@Nullable LinkSurvey survey, MeasuredRoute route) {
        SiteMap sites = SiteMap.of(group);
        RingOrder ring = RingOrder.of(sites, route);
        LinkFigures figures = LinkFigures.assumed();
        if (sites.sites() > 1) {
            return new Routing(
                    sites,
                    survey == null ? figures : survey.figures(sites, figures),
                    options.betweenSites(),
                    ring,
                    options.directBytes());
        }
        Set<Scheme> schemes = inside(route);
        if (route.hasFigures()) {
            schemes.add(Scheme.TREE);
            figures = RouteChoice.figures(route);
        }
        return new Routing(sites, figures, schemes, ring, options.directBytes());
    }

    /** The ranks that stand where this one does. */
    private List<Integer> mates() {
        return group.ranksAt(group.members().get(rank).site());
    }

    /** The routing of sums over this rank's site. */
    private Routing atSite(MeasuredRoute route) {
        List<Integer> mates = mates();
        return new Routing(
                new SiteMap(List.of(mates)),
                LinkFigures.assumed(),
                inside(route),
                RingOrder.of(SiteMap.of(group), route).among(mates),
                options.directBytes());
    }

    /**
     * The schemes of equal bits within a site. Between processes of one host messages cost next to
     * nothing: there a ring is as good as shares, unless it is to repeat what machines did.
     */
    private Set<Scheme> inside(MeasuredRoute route) {
        long hosts = mates().stream().map(r -> group.members().get(r).hostKey()).distinct().count();
        return hosts == 1 && route.isUsual()
                ? EnumSet.of(Scheme.RING, Scheme.DIRECT)
                : EnumSet.of(Scheme.RING, Scheme.DIRECT, Scheme.SHARES);
    }

    private SharedForming shared(long bufferBytes) {
        return new SharedForming(
                new SegmentFolder(options.sharedFolder(), clock),
                mapper::map,
                run,
                group.epoch(),
                bufferBytes,
                options.directBytes());
    }

    private static void checkEqual(Peers all, String own, List<String> proposals)
            throws FaultSignal {
        for (int peer = 0; peer < proposals.size(); peer++) {
            if (!proposals.get(peer).equals(own)) {
                throw all.fault(
                        Fault.Kind.PEER,
                        peer,
                        "%s proposes \"%s\", not \"%s\""
                                .formatted(all.name(peer), proposals.get(peer), own));
            }
        }
    }
}

package dev.medley.exchange;

import dev.medley.base.Clock;
import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.WorkerId;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.route.RoundTrips;
import dev.medley.exchange.route.Routing;
import dev.medley.exchange.shared.SegmentFolder;
import dev.medley.exchange.shared.SharedForming;
import dev.medley.exchange.sum.Transport;
import dev.medley.exchange.tcp.TcpTransport;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.LinkListener;
import dev.medley.net.link.Mesh;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt of one member to form a collective; see {@link ExchangeEndpoint#form}. */
final class Forming {
    private static final Logger LOG = LoggerFactory.getLogger(Forming.class);

    /** The shortest of three round trips: the first may have waited for a busy process. */
    private static final int PINGS = 3;

    /** The round trips of one rank to so many fit in a note. */
    private static final int MOST_MEASURED = 200;

    private final ExchangeOptions options;

    private final Mapper mapper;
    private final String run;
    private final Clock clock;
    private final Group group;
    private final int rank;
    private final AtomicReference<@Nullable Fault> calledOff = new AtomicReference<>();
    private volatile @Nullable Peers peers;

    Forming(
            ExchangeOptions options,
            Mapper mapper,
            String run,
            Clock clock,
            Group group,
            WorkerId self) {
        this.options = options;
        this.mapper = mapper;
        this.run = run;
        this.clock = clock;
        this.group = group;
        this.rank = group.rankOf(self);
    }

    /** Ends the attempt. From any thread. */
    void callOff(Fault why) {
        calledOff.compareAndSet(null, why);
        Peers joined = peers;
        if (joined != null) {
            joined.abort(why);
        }
    }

    Formation form(LinkListener listener, StrategySpec.Transport wanted, long bufferBytes) {
        long deadlineNs = clock.nowNs() + options.formTimeoutNs();
        Peers joined = null;
        try {
            Mesh mesh =
                    Mesh.join(
                            listener,
                            group,
                            rank,
                            clock,
                            deadlineNs,
                            () -> calledOff.get() != null);
            joined = new Peers(group, rank, mesh, clock, options.formTimeoutNs());
            peers = joined;
            Fault why = calledOff.get();
            if (why != null) {
                throw new FaultSignal(why);
            }
            Transport transport = agree(joined, wanted, bufferBytes);
            joined.formed(options.stepTimeoutNs());
            LOG.info("Epoch {}, rank {}: {}", group.epoch(), rank, transport.description());
            return new Formation.Formed(new AgentCollective(joined, transport, clock));
        } catch (FaultSignal signal) {
            Fault fault = Objects.requireNonNullElse(calledOff.get(), signal.fault());
            if (joined != null) {
                joined.tell(fault);
                joined.close();
            }
            return new Formation.Failed(fault);
        }
    }

    private Transport agree(Peers all, StrategySpec.Transport wanted, long bufferBytes)
            throws FaultSignal {
        String proposal =
                "transport %s, buffer %d, direct %d, segment %d, between sites %s, %s, %s"
                        .formatted(
                                wanted,
                                bufferBytes,
                                options.directBytes(),
                                options.segmentBytes(),
                                options.betweenSites().stream().sorted().toList(),
                                options.compress(),
                                options.codec());
        checkEqual(all, proposal, all.vote(proposal));
        String whyNot = "";
        if (wanted != StrategySpec.Transport.TCP && group.isOnOneHost()) {
            SharedForming.Agreement agreement = shared(bufferBytes).agree(all);
            if (agreement.transport() != null) {
                return agreement.transport();
            }
            whyNot = " (" + agreement.whyNot() + ")";
        } else if (wanted == StrategySpec.Transport.SHARED_MEMORY) {
            whyNot = " (shared memory was asked for, but they are on several hosts)";
        }
        return new TcpTransport(
                all,
                mapper.reserve(bufferBytes),
                routing(all),
                whyNot,
                Codec.of(options.compress(), options.codec()).orElse(null),
                options.directBytes(),
                options.segmentBytes());
    }

    /** Everybody tells everybody the round trips it measured, so all choose by the same figures. */
    private Routing routing(Peers all) throws FaultSignal {
        SiteMap sites = SiteMap.of(group);
        LinkFigures figures = LinkFigures.assumed();
        if (sites.sites() > 1 && sites.size() <= MOST_MEASURED) {
            String own = RoundTrips.say(all.ping(PINGS));
            figures = RoundTrips.heard(all.vote(own)).figures(sites, figures);
        }
        return new Routing(sites, figures, sites.sites() > 1 ? options.betweenSites() : inside());
    }

    /** Between processes of one host messages cost next to nothing: there a ring is as good. */
    private Set<Scheme> inside() {
        return group.isOnOneHost() ? Set.of(Scheme.RING) : Set.of(Scheme.RING, Scheme.SHARES);
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

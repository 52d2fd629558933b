package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.base.route.Choice;
import dev.medley.base.route.Scheme;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.route.RingOrder;
import dev.medley.exchange.route.Routing;
import dev.medley.exchange.sum.Adder;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.sum.Transport;
import dev.medley.exchange.tcp.HierarchicalSum.Order;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slices travel over TCP links, each by the cheapest scheme that the {@link Routing} allows. Where
 * that is a ring alone, between processes of one host, small ones go to everyone at once.
 */
public final class TcpTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(TcpTransport.class);

    private final Peers peers;
    private final Span buffer;
    private final Routing routing;
    private final String description;
    private final int directBytes;
    private final RingSum ring;

    /** The one where there is no choice, the other where there is. */
    private final @Nullable DirectSum direct;

    private final @Nullable HierarchicalSum hierarchical;

    /** By length of a slice; a model has few of them. */
    private final Map<Long, Scheme> chosen = new HashMap<>();

    private final Map<Long, Scheme> chosenForCodec = new HashMap<>();

    /**
     * Sums {@code buffer} with those of {@code peers}.
     *
     * @param routing equal on all ranks
     * @param remark for the user, after the number of processes
     * @param codec for what may be coded between sites; null for none
     * @param directBytes where there is no choice, slices up to this length go to everyone at once
     * @param segmentBytes what a ring moves at once
     */
    public TcpTransport(
            Peers peers,
            Span buffer,
            Routing routing,
            String remark,
            @Nullable Codec codec,
            int directBytes,
            int segmentBytes) {
        Adder adder = new Adder();
        this.peers = peers;
        this.buffer = buffer;
        this.routing = routing;
        this.description =
                "TCP between %d processes%s%s%s"
                        .formatted(
                                peers.size(),
                                routing.description(),
                                codec == null || !routing.hasSeveralSites()
                                        ? ""
                                        : ", gradients coded between sites as " + codec.name(),
                                remark);
        this.directBytes = directBytes;
        this.ring = new RingSum(peers, RingOrder.bySite(routing.sites()), adder, segmentBytes);
        Codec between = routing.hasSeveralSites() ? codec : null;
        this.direct = routing.hasChoice() ? null : new DirectSum(peers, adder, directBytes);
        this.hierarchical =
                routing.hasChoice()
                        ? new HierarchicalSum(peers, routing.sites(), adder, buffer, between)
                        : null;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Span buffer() {
        return buffer;
    }

    @Override
    public void sum(Slice slice, Queue<Slice> behind) throws FaultSignal {
        for (int peer = 0; peer < peers.size(); peer++) {
            if (peer != peers.rank()) {
                peers.want(peer, Interest.NONE);
            }
        }
        Span values = buffer.slice(slice.offsetBytes(), slice.bytes());
        if (direct != null && slice.bytes() <= directBytes) {
            direct.sum(slice, values);
        } else if (hierarchical == null || schemeOf(slice) == Scheme.RING) {
            ring.sum(slice, values);
        } else {
            Orders orders = new Orders(slice, behind, hierarchical);
            hierarchical.sum(orders::next);
        }
    }

    @Override
    public void queued() {
        if (hierarchical != null) {
            hierarchical.wake();
        }
    }

    /** What peers need of this rank is in the hands of the kernel already. */
    @Override
    public void settle() {}

    @Override
    public void close() {
        ring.close();
    }

    @Override
    public void applied() {
        if (hierarchical != null) {
            hierarchical.coding().applied();
        }
    }

    @Override
    public void discarded() {
        if (hierarchical != null) {
            hierarchical.coding().discarded();
        }
    }

    private Scheme schemeOf(Slice slice) {
        boolean isCoded = hierarchical != null && hierarchical.coding().isFor(slice);
        return (isCoded ? chosenForCodec : chosen)
                .computeIfAbsent(
                        slice.bytes(),
                        bytes -> {
                            Choice choice =
                                    isCoded ? routing.chooseForCodec(bytes) : routing.choose(bytes);
                            LOG.debug("{}", choice.why());
                            return choice.scheme();
                        });
    }

    /** A slice, and those behind it that may follow without a pause. */
    private final class Orders {
        private @Nullable Slice first;
        private final Queue<Slice> behind;
        private final HierarchicalSum sum;

        Orders(Slice first, Queue<Slice> behind, HierarchicalSum sum) {
            this.first = first;
            this.behind = behind;
            this.sum = sum;
        }

        @Nullable Order next() {
            Slice slice = first;
            if (slice != null) {
                first = null;
                return new Order(slice, schemeOf(slice));
            }
            slice = behind.peek();
            if (slice == null || schemeOf(slice) == Scheme.RING || !sum.isApart(slice)) {
                return null;
            }
            behind.remove();
            return new Order(slice, schemeOf(slice));
        }
    }
}

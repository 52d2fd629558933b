package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.base.route.Choice;
import dev.medley.base.route.Scheme;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.route.Routing;
import dev.medley.exchange.sum.Adder;
import dev.medley.exchange.sum.Scope;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.tcp.HierarchicalSum.Order;
import dev.medley.net.link.FaultSignal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sums over the ranks of one scope, each slice by the cheapest scheme that the {@link Routing}
 * allows. Belongs to the role's holder, but for {@link #wake}.
 */
final class TcpSums implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TcpSums.class);

    private final Span buffer;
    private final Scope scope;
    private final Routing routing;
    private final Peers peers;
    private final Adder adder = new Adder();
    private final int directBytes;
    private final RingSum ring;

    /** Null where no slice is cut into cells. */
    private final @Nullable HierarchicalSum hierarchical;

    /** Made when first needed: their boxes take memory for each rank. */
    private @Nullable DirectSum direct;

    private @Nullable TreeSum tree;

    /** By length of a slice; a model has few of them. */
    private final Map<Long, Scheme> chosen = new HashMap<>();

    private final Map<Long, Scheme> chosenForCodec = new HashMap<>();

    /** The lengths that sums of every scope go by. */
    record Lengths(int directBytes, int segmentBytes) {}

    /**
     * Sums slices of {@code buffer} over the ranks of {@code routing}.
     *
     * @param coding for what may be coded between sites
     */
    TcpSums(
            Peers peers,
            Span buffer,
            Scope scope,
            Routing routing,
            Coding coding,
            Lengths lengths) {
        this.peers = peers;
        this.buffer = buffer;
        this.scope = scope;
        this.routing = routing;
        this.directBytes = lengths.directBytes();
        this.ring = new RingSum(peers, routing.ring(), adder, lengths.segmentBytes());
        this.hierarchical =
                routing.hasCells()
                        ? new HierarchicalSum(peers, routing.sites(), adder, buffer, coding)
                        : null;
    }

    /**
     * Sums a slice of this scope.
     *
     * @param behind the slices that come after it, of any scope
     */
    void sum(Slice slice, Queue<Slice> behind) throws FaultSignal {
        begin(slice);
        Scheme scheme = schemeOf(slice);
        switch (scheme) {
            case RING -> ring.sum(slice, valuesOf(slice));
            case DIRECT -> direct().sum(slice, valuesOf(slice));
            case TREE -> tree().sum(slice, valuesOf(slice));
            case LEADERS, SHARES -> {
                HierarchicalSum cells = Objects.requireNonNull(hierarchical);
                Orders orders = new Orders(slice, behind, cells);
                cells.sum(orders::next);
            }
        }
    }

    private Span valuesOf(Slice slice) {
        return buffer.slice(slice.offsetBytes(), slice.bytes());
    }

    private DirectSum direct() {
        DirectSum made = direct;
        if (made == null) {
            made = new DirectSum(peers, routing.sites().at(0), adder, directBytes);
            direct = made;
        }
        return made;
    }

    private TreeSum tree() {
        TreeSum made = tree;
        if (made == null) {
            made = new TreeSum(peers, routing.sites().at(0), adder, directBytes);
            tree = made;
        }
        return made;
    }

    private void begin(Slice slice) {
        if (hierarchical != null) {
            hierarchical.coding().begin(slice, buffer);
        }
    }

    /** Looks for another slice, if it sleeps. From any thread. */
    void wake() {
        if (hierarchical != null) {
            hierarchical.wake();
        }
    }

    /** Keeps left out what was left out since the last call. */
    void applied() {
        if (hierarchical != null) {
            hierarchical.coding().applied();
        }
    }

    /** Restores what was left out to its state at the last {@link #applied}. */
    void discarded() {
        if (hierarchical != null) {
            hierarchical.coding().discarded();
        }
    }

    @Override
    public void close() {
        ring.close();
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
            if (slice == null || slice.scope() != scope || !mayFollow(slice)) {
                return null;
            }
            behind.remove();
            begin(slice);
            return new Order(slice, schemeOf(slice));
        }

        private boolean mayFollow(Slice slice) {
            Scheme scheme = schemeOf(slice);
            boolean isOfCells = scheme == Scheme.LEADERS || scheme == Scheme.SHARES;
            return isOfCells && sum.isApart(slice);
        }
    }
}

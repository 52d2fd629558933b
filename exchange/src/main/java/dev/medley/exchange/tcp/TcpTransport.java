package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.route.Routing;
import dev.medley.exchange.sum.Scope;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.sum.Transport;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Sums slices over TCP links. Slices of this rank's site go over the same links as those of all:
 * mates make the same calls in the same order, so on each link the streams of both follow each
 * other as they do on the other end; to members of other sites nothing of them travels.
 */
public final class TcpTransport implements Transport {
    private final Peers peers;
    private final Span buffer;
    private final Ways ways;
    private final String description;
    private final TcpSums.Lengths lengths;
    private final TcpSums all;

    /** Made when first needed: most groups never sum over a site alone. */
    private volatile @Nullable TcpSums atSite;

    /**
     * The routing of sums, equal on all ranks of the scope.
     *
     * @param all of those over all members
     * @param atSite of those over the members of this rank's site, which are its only site
     */
    public record Ways(Routing all, Routing atSite) {}

    /**
     * The treatment of slices that may be coded between sites.
     *
     * @param codecs of the borders
     * @param residuals what codecs left out in groups before
     */
    public record Between(BorderCodecs codecs, Residuals residuals) {}

    /**
     * Sums {@code buffer} with those of {@code peers}.
     *
     * @param remark for the user, after the number of processes
     * @param between for what may be coded between sites
     * @param directBytes where there is no choice, slices up to this length go to everyone at once
     * @param segmentBytes what a ring moves at once
     */
    public TcpTransport(
            Peers peers,
            Span buffer,
            Ways ways,
            String remark,
            Between between,
            int directBytes,
            int segmentBytes) {
        this.peers = peers;
        this.buffer = buffer;
        this.ways = ways;
        String codecs = between.codecs().description();
        this.description =
                "TCP between %d processes%s%s%s"
                        .formatted(
                                peers.size(),
                                ways.all().description(),
                                codecs.isEmpty()
                                        ? ""
                                        : ", gradients coded between sites as " + codecs,
                                remark);
        this.lengths = new TcpSums.Lengths(directBytes, segmentBytes);
        between.residuals().begin(ways.all().sites(), peers.rank());
        Coding coding = new Coding(between.codecs(), between.residuals());
        this.all = new TcpSums(peers, buffer, Scope.ALL, ways.all(), coding, lengths);
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
        (slice.scope() == Scope.SITE ? atSite() : all).sum(slice, behind);
    }

    @Override
    public void queued() {
        all.wake();
        TcpSums inside = atSite;
        if (inside != null) {
            inside.wake();
        }
    }

    /** Nothing to wait for: the kernel already holds all that peers need of this rank. */
    @Override
    public void settle() {}

    @Override
    public void close() {
        all.close();
        TcpSums inside = atSite;
        if (inside != null) {
            inside.close();
        }
    }

    /** Inside a site nothing is coded, so nothing is left out. */
    @Override
    public void applied() {
        all.applied();
    }

    @Override
    public void discarded() {
        all.discarded();
    }

    private TcpSums atSite() {
        TcpSums inside = atSite;
        if (inside == null) {
            Coding exact = new Coding(BorderCodecs.NONE, new Residuals());
            inside = new TcpSums(peers, buffer, Scope.SITE, ways.atSite(), exact, lengths);
            atSite = inside;
        }
        return inside;
    }
}

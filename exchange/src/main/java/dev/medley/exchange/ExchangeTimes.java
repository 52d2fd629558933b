package dev.medley.exchange;

import dev.medley.exchange.peer.LinkTraffic;
import java.util.ArrayList;
import java.util.List;

/**
 * The times and bytes of the exchange since the last call.
 *
 * @param waitingNs blocked until peers were ready or their bytes came; where the kernel counts it,
 *     only the time in which nothing was computed meanwhile, and without the time for which this
 *     process lacked a processor
 * @param movingNs copying and adding
 * @param bytesSent written to peers, or handed to them through shared memory
 * @param bytesReceived read from peers
 * @param atSiteNs for which the training thread had nothing to do but sums of its site, between the
 *     parts of a step that it computes; waiting is counted in waitingNs too
 * @param withinWaitNs for which the training thread waited within a step, for letters or for sums,
 *     while it computed for the rest of the time
 * @param links the part of this that went over the links to each peer, by rank
 */
public record ExchangeTimes(
        long waitingNs,
        long movingNs,
        long bytesSent,
        long bytesReceived,
        long atSiteNs,
        long withinWaitNs,
        List<LinkTraffic> links) {
    /** Nothing done. */
    public static final ExchangeTimes NONE = new ExchangeTimes(0, 0, 0, 0, 0, 0, List.of());

    public ExchangeTimes {
        links = List.copyOf(links);
    }

    /** Nothing but a wait for letters. */
    static ExchangeTimes ofLetters(long waitedNs) {
        return new ExchangeTimes(0, 0, 0, 0, 0, waitedNs, List.of());
    }

    /** Both together. */
    public ExchangeTimes plus(ExchangeTimes more) {
        List<LinkTraffic> both = new ArrayList<>(links.isEmpty() ? more.links : links);
        for (int i = 0; i < Math.min(links.size(), more.links.size()); i++) {
            both.set(i, links.get(i).plus(more.links.get(i)));
        }
        return new ExchangeTimes(
                waitingNs + more.waitingNs,
                movingNs + more.movingNs,
                bytesSent + more.bytesSent,
                bytesReceived + more.bytesReceived,
                atSiteNs + more.atSiteNs,
                withinWaitNs + more.withinWaitNs,
                both);
    }

    /** The same, where each byte that was sent stood for so many. */
    public ExchangeTimes standingFor(double bytes) {
        return new ExchangeTimes(
                waitingNs,
                movingNs,
                bytesSent,
                bytesReceived,
                atSiteNs,
                withinWaitNs,
                links.stream().map(link -> link.standingFor(bytes)).toList());
    }

    /** Bytes that this rank sent across the border of its site. */
    public long bytesToOtherSites() {
        return between().stream().mapToLong(LinkTraffic::bytesSent).sum();
    }

    /** Bytes that it would have sent there without a codec. */
    public long plainBytesToOtherSites() {
        return bytesToOtherSites() + between().stream().mapToLong(LinkTraffic::bytesSpared).sum();
    }

    /** Bytes that came to this rank across the border of its site. */
    public long bytesFromOtherSites() {
        return between().stream().mapToLong(LinkTraffic::bytesReceived).sum();
    }

    private List<LinkTraffic> between() {
        return links.stream()
                .filter(link -> link.reach() == LinkTraffic.Reach.BETWEEN_SITES)
                .toList();
    }
}

package dev.medley.exchange.peer;

/**
 * The bytes that went over the links to one peer.
 *
 * @param peer its rank
 * @param reach whether the peer stands at the same site
 * @param bytesSent to it
 * @param bytesSpared that a codec kept from being sent to it
 * @param bytesReceived from it
 * @param bytesBeside of them in letters, for which no time is measured
 * @param receivingNs time in which bytes came from a peer at another site, pauses left out; zero
 *     inside a site, where nobody asks
 */
public record LinkTraffic(
        int peer,
        Reach reach,
        long bytesSent,
        long bytesSpared,
        long bytesReceived,
        long bytesBeside,
        long receivingNs) {
    /** Where a link leads. */
    public enum Reach {
        INSIDE_SITE,
        BETWEEN_SITES
    }

    /** Both together, of the same link. */
    public LinkTraffic plus(LinkTraffic more) {
        return new LinkTraffic(
                peer,
                reach,
                bytesSent + more.bytesSent,
                bytesSpared + more.bytesSpared,
                bytesReceived + more.bytesReceived,
                bytesBeside + more.bytesBeside,
                receivingNs + more.receivingNs);
    }

    /** The same, where each byte that was sent stood for so many. */
    public LinkTraffic standingFor(double bytes) {
        return new LinkTraffic(
                peer,
                reach,
                bytesSent,
                bytesSpared + Math.round(bytesSent * (bytes - 1)),
                bytesReceived,
                bytesBeside,
                receivingNs);
    }

    /** Bandwidth seen while receiving, at least that of the link; zero if nothing came. */
    public long bytesPerSecond() {
        return receivingNs == 0 ? 0 : (long) ((bytesReceived - bytesBeside) * 1e9 / receivingNs);
    }
}

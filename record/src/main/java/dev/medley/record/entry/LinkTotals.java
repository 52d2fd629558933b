package dev.medley.record.entry;

import java.util.List;

/**
 * The bytes that one worker sent to another over their links, over a run. Bytes of discarded steps
 * count: they travelled. Bytes that are handed over through shared memory do not.
 *
 * @param from id of the worker that sent
 * @param to id of the worker that received
 * @param reach whether they stand at one site
 * @param sentBytes as they travelled
 * @param plainBytes what would have travelled without a codec
 */
public record LinkTotals(int from, int to, Reach reach, long sentBytes, long plainBytes) {
    /** Where a link leads. */
    public enum Reach {
        INSIDE_SITE,
        BETWEEN_SITES
    }

    /** The same with more of the same. */
    public LinkTotals plus(LinkTotals more) {
        return new LinkTotals(
                from, to, more.reach, sentBytes + more.sentBytes, plainBytes + more.plainBytes);
    }

    /** Bytes that crossed borders of sites, and what would have without a codec. */
    public static LinkTotals between(List<LinkTotals> links) {
        LinkTotals sum = new LinkTotals(0, 0, Reach.BETWEEN_SITES, 0, 0);
        for (LinkTotals link : links) {
            sum = link.reach == Reach.BETWEEN_SITES ? sum.plus(link) : sum;
        }
        return sum;
    }
}

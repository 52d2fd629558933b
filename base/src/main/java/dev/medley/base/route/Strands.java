package dev.medley.base.route;

import java.math.BigInteger;

/**
 * Counts the connections over which two ranks at different sites send each other sums.
 *
 * <p>A connection begins with ten packets in flight, and again after each silence (RFC 6928, RFC
 * 2861), and doubles them in a round trip: 200 kB take four round trips of a link that was silent
 * while a round was computed. K connections begin with 10 K packets; they also get K times as far
 * where packets are lost (Mathis, Semke, Mahdavi, Ott 1997). So a site has about {@value
 * #OF_A_SITE} of them over all its borders for what goes by shares. Each costs a handshake when a
 * group forms and some buffers, so no site has more; where its machines are as many, each pair has
 * one. By leaders only one pair of a border carries, on its own strands.
 */
public final class Strands {
    private static final int OF_A_SITE = 8;

    private Strands() {}

    /**
     * Connections on which two ranks send each other values and sums of sites: 1 inside a site, and
     * where they share no part of a slice.
     */
    public static int ofValues(SiteMap sites, int one, int other) {
        int here = sites.siteOf(one);
        int there = sites.siteOf(other);
        if (here == there || !haveCommonShare(sites, one, here, other, there)) {
            return 1;
        }
        return ofAPair(sites.at(here).size(), sites.at(there).size(), sites.sites());
    }

    /** The same of whole sums, which cross borders where there are more than two sites. */
    public static int ofSums(SiteMap sites, int one, int other) {
        return sites.sites() > 2 ? ofValues(sites, one, other) : 1;
    }

    /**
     * Connections of two ranks that share a part.
     *
     * @param here ranks at the site of one
     * @param there ranks at the site of the other
     * @param sites of the group, at least two
     */
    public static int ofAPair(int here, int there, int sites) {
        return Math.max(1, OF_A_SITE / (Math.max(here, there) * (sites - 1)));
    }

    /**
     * Pairs of ranks that share a part where a slice is cut into so many even parts at one site and
     * so many at another: as many as there are stretches between borders of either cut.
     */
    public static int pairs(int here, int there) {
        return here + there - BigInteger.valueOf(here).gcd(BigInteger.valueOf(there)).intValue();
    }

    /** Rank i of m owns what lies between i/m and (i+1)/m of a slice. */
    private static boolean haveCommonShare(SiteMap sites, int one, int here, int other, int there) {
        long m = sites.at(here).size();
        long n = sites.at(there).size();
        long i = sites.at(here).indexOf(one);
        long j = sites.at(there).indexOf(other);
        return i * n < (j + 1) * m && j * m < (i + 1) * n;
    }
}

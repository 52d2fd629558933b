package dev.medley.base.route;

import dev.medley.base.Group;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ranks of a group, by the site at which they stand. Sites are numbered in the order of their
 * first ranks, so that the leader of site 0 is rank 0.
 *
 * @param ranks for each site its ranks, ascending; no site is empty
 */
public record SiteMap(List<List<Integer>> ranks) {
    public SiteMap {
        ranks = ranks.stream().map(List::copyOf).toList();
    }

    /** The map of a group. */
    public static SiteMap of(Group group) {
        return new SiteMap(group.sites().stream().map(group::ranksAt).toList());
    }

    /** So many ranks, each at a site of its own. */
    public static SiteMap apart(int size) {
        return new SiteMap(IntStream.range(0, size).mapToObj(List::of).toList());
    }

    /** Number of sites. */
    public int sites() {
        return ranks.size();
    }

    /** Number of ranks at all sites together. */
    public int size() {
        return ranks.stream().mapToInt(List::size).sum();
    }

    /** The site at which a rank stands. */
    public int siteOf(int rank) {
        for (int site = 0; site < ranks.size(); site++) {
            if (ranks.get(site).contains(rank)) {
                return site;
            }
        }
        throw new IllegalArgumentException("no rank " + rank);
    }

    /** The ranks of one site, ascending. */
    public List<Integer> at(int site) {
        return ranks.get(site);
    }

    /** The lowest rank of a site. */
    public int leader(int site) {
        return ranks.get(site).get(0);
    }

    /** Number of ranks at the site that has most. */
    public int mostAtOneSite() {
        return ranks.stream().mapToInt(List::size).max().orElse(0);
    }
}

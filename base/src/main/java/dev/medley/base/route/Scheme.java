package dev.medley.base.route;

/** The schemes by which the ranks of a group sum a slice, at one site or at several. */
public enum Scheme {
    /** One ring through all ranks, site after site. */
    RING("a ring through all sites"),
    /** Everything to the leader of the site; leaders exchange; each spreads. */
    LEADERS("through one process of each site"),
    /** Each rank owns a share of its site's sum and exchanges it with the owners elsewhere. */
    SHARES("hierarchical"),
    /** At one site: everybody to everybody, and everybody adds. */
    DIRECT("from everyone to everyone"),
    /**
     * At one site: partial sums are swapped with ever farther ranks. It adds in an order of its
     * own.
     */
    TREE("by a tree");

    private final String words;

    Scheme(String words) {
        this.words = words;
    }

    /** As it is said to the user. */
    public String words() {
        return words;
    }
}

package dev.medley.base.route;

/** How the ranks of several sites sum a slice. */
public enum Scheme {
    /** One ring through all ranks, site after site. */
    RING("a ring through all sites"),
    /** Everything to the leader of the site; leaders exchange; each spreads. */
    LEADERS("through one process of each site"),
    /** Each rank owns a share of its site's sum and exchanges it with the owners elsewhere. */
    SHARES("hierarchical");

    private final String words;

    Scheme(String words) {
        this.words = words;
    }

    /** As it is said to the user. */
    public String words() {
        return words;
    }
}

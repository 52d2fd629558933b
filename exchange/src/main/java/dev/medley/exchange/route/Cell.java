package dev.medley.exchange.route;

import java.util.List;

/**
 * A stretch of a slice that travels as one. At every site one rank owns it: it adds the values of
 * the site's ranks.
 *
 * @param startBytes from the slice's begin
 * @param bytes its length, above zero
 * @param owners the owning rank at each site
 * @param adders the sites at which the sums of all sites are added; the others get the whole sum
 */
public record Cell(long startBytes, int bytes, List<Integer> owners, List<Integer> adders) {
    /** The rank that owns it at a site. */
    public int owner(int site) {
        return owners.get(site);
    }

    /** Whether the sums of all sites come together at this one. */
    public boolean isAddedAt(int site) {
        return adders.contains(site);
    }
}

package dev.medley.exchange.tcp;

import dev.medley.base.route.SiteMap;
import dev.medley.exchange.route.Cell;
import dev.medley.exchange.sum.Adder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Adds cells out of the boxes of the inbound streams: over the ranks of a site in order of rank,
 * over sites in their order. With one site the owner comes last, as in every transport inside a
 * site ({@link dev.medley.exchange.sum.Parts}). Every rank that adds a cell adds the same bytes in
 * the same order.
 */
final class CellSums {
    private final SiteMap sites;
    private final int rank;
    private final int site;
    private final Adder adder;
    private final Boxes boxes;

    /** Knows in which box lies what another rank has sent to be added. */
    interface Boxes {
        /** The stream with that rank's part of a cell. */
        Inbound of(int rank, int cell);
    }

    /** The sums of one rank. */
    CellSums(SiteMap sites, int rank, Adder adder, Boxes boxes) {
        this.sites = sites;
        this.rank = rank;
        this.site = sites.siteOf(rank);
        this.adder = adder;
        this.boxes = boxes;
    }

    /** The site of this rank. */
    int site() {
        return site;
    }

    /** Other ranks at this site. */
    int mates() {
        return sites.at(site).size() - 1;
    }

    int otherSites() {
        return sites.sites() - 1;
    }

    boolean isAddedHere(Cell cell) {
        return cell.isAddedAt(site);
    }

    /** Whether the sum of this site is added at another one. */
    boolean goesElsewhere(Cell cell) {
        return cell.adders().size() > (cell.isAddedAt(site) ? 1 : 0);
    }

    /** Whether the whole sum goes from here to sites at which it is not added. */
    boolean isToldElsewhere(Cell cell) {
        return isAddedHere(cell) && cell.adders().size() < sites.sites();
    }

    void addInside(SliceProgress passage, int cell) {
        add(passage, cell, sites.sites() == 1 ? endingHere(sites.at(site)) : sites.at(site));
    }

    void addSites(SliceProgress passage, int cell) {
        add(passage, cell, passage.cells().get(cell).owners());
    }

    private List<Integer> endingHere(List<Integer> ranks) {
        List<Integer> turned = new ArrayList<>(ranks);
        Collections.rotate(turned, ranks.size() - 1 - ranks.indexOf(rank));
        return turned;
    }

    /** Sums what the givers sent and empties their boxes; this rank's is in place. */
    private void add(SliceProgress passage, int cell, List<Integer> givers) {
        if (givers.size() == 1) {
            return;
        }
        ByteBuffer[] summands = new ByteBuffer[givers.size()];
        int done = 0;
        for (ByteBuffer target : passage.memory(cell).buffers()) {
            for (int i = 0; i < summands.length; i++) {
                summands[i] =
                        givers.get(i) == rank
                                ? target
                                : boxes.of(givers.get(i), cell).box(done, target.capacity());
            }
            adder.sum(target, summands, passage.slice().type());
            done += target.capacity();
        }
        for (int giver : givers) {
            if (giver != rank) {
                boxes.of(giver, cell).empty();
            }
        }
    }
}

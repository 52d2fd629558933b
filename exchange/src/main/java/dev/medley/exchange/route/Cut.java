package dev.medley.exchange.route;

import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.exchange.sum.Parts;
import dev.medley.exchange.sum.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Cuts a slice into cells, as a function of the slice and of the sites of ranks: all ranks cut
 * alike. Whatever the cut, an element is summed over the ranks of each site in order of rank and
 * then over the sites in their order, so that its sum does not depend on the cut.
 *
 * <p>{@link Scheme#SHARES}: each site divides the slice evenly among its ranks. Sites of unlike
 * numbers have their borders at other places, so cells end at the borders of all of them, and each
 * cell has one owner at every site. With two sites both add: each sends its sum to the other once.
 * With more, sites take turns to add a cell and to send the whole sum back, which makes 2(C-1)/C of
 * the slice leave every site, the least possible.
 *
 * <p>{@link Scheme#LEADERS}: the lowest rank of each site owns everything, and all sites add.
 */
public final class Cut {
    private static final int LEAST_CELL_BYTES = 16 << 10;
    private static final int MOST_CELL_BYTES = 256 << 10;
    private static final int CELLS_OF_A_SLICE = 256;
    private static final int CELLS_OF_A_PART = 4;

    private final Slice slice;
    private final SiteMap sites;
    private final int cellBytes;
    private final List<Integer> everySite;
    private final List<Cell> cells = new ArrayList<>();

    private Cut(Slice slice, SiteMap sites) {
        this.slice = slice;
        this.sites = sites;
        int cells = sites.sites() == 1 ? CELLS_OF_A_PART * sites.size() : CELLS_OF_A_SLICE;
        this.cellBytes = cellBytes(slice.bytes(), cells);
        this.everySite = IntStream.range(0, sites.sites()).boxed().toList();
    }

    /** The cells of a slice, in order. */
    public static List<Cell> of(Slice slice, SiteMap sites, Scheme scheme) {
        Cut cut = new Cut(slice, sites);
        switch (scheme) {
            case LEADERS -> cut.byLeaders();
            case SHARES -> cut.byShares();
            case RING, DIRECT, TREE ->
                    throw new IllegalArgumentException(scheme + " knows no cells");
        }
        return List.copyOf(cut.cells);
    }

    /**
     * The longest cell of a slice of that length. Short cells are passed on sooner, long ones cost
     * fewer calls: between sites a 256th of the slice is neither felt as latency nor as work,
     * inside a site a fourth of a rank's part.
     */
    static int cellBytes(long sliceBytes, int cells) {
        long wanted = Math.max(LEAST_CELL_BYTES, Math.min(MOST_CELL_BYTES, sliceBytes / cells));
        return (int) (wanted / LEAST_CELL_BYTES * LEAST_CELL_BYTES);
    }

    /** The longest cell of any slice. */
    public static int mostCellBytes() {
        return MOST_CELL_BYTES;
    }

    private void byLeaders() {
        List<Integer> leaders = everySite.stream().map(sites::leader).toList();
        for (long start = 0; start < slice.bytes(); start += cellBytes) {
            cells.add(cell(start, slice.bytes(), leaders, everySite));
        }
    }

    private void byShares() {
        TreeSet<Long> borders = new TreeSet<>();
        List<Parts> parts = new ArrayList<>();
        for (int site = 0; site < sites.sites(); site++) {
            int ranks = sites.at(site).size();
            Parts ofSite = new Parts(slice, ranks);
            parts.add(ofSite);
            for (int index = 0; index <= ranks; index++) {
                borders.add(ofSite.startBytes(index));
            }
        }
        for (Long start = borders.first(), end = borders.higher(start);
                end != null;
                start = end, end = borders.higher(start)) {
            fill(start, end, owners(start, parts));
        }
    }

    private void fill(long from, long to, List<Integer> owners) {
        for (long start = from; start < to; start += cellBytes) {
            List<Integer> adders =
                    sites.sites() == 2 ? everySite : List.of(cells.size() % sites.sites());
            cells.add(cell(start, to, owners, adders));
        }
    }

    private Cell cell(long start, long end, List<Integer> owners, List<Integer> adders) {
        return new Cell(start, (int) Math.min(cellBytes, end - start), owners, adders);
    }

    /** At each site the rank in whose part a byte lies. */
    private List<Integer> owners(long place, List<Parts> parts) {
        List<Integer> owners = new ArrayList<>();
        for (int site = 0; site < sites.sites(); site++) {
            int index = sites.at(site).size() - 1;
            while (parts.get(site).startBytes(index) > place) {
                index--;
            }
            owners.add(sites.at(site).get(index));
        }
        return List.copyOf(owners);
    }
}

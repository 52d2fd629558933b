package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.route.Cell;
import dev.medley.exchange.route.Cut;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.tcp.Load.Freight;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tracks one slice on its path between ranks and sites, as one rank sees it: how far each cell has
 * come. Belongs to the role's holder.
 */
final class SliceProgress {
    private final Slice slice;
    private final Span values;
    private final List<Cell> cells;
    private final CellSums sums;
    private final Coding coding;
    private final Stage[] stages;

    /** By cell: how many ranks of this site, and how many other sites, have sent theirs. */
    private final int[] heardInside;

    private final int[] heardSites;

    /** By cell: to how many other sites this site's sum has gone. */
    private final int[] toldSites;

    /** By cell, where the slice is coded: what this rank encoded for other sites. */
    private final @Nullable ByteBuffer[] encoded;

    /** The stage of a cell in this rank's memory. */
    enum Stage {
        /** Its own values. */
        OWN,
        /** The sum of its site. */
        SITE,
        /** The sum of all. */
        WHOLE
    }

    SliceProgress(Slice slice, Span values, List<Cell> cells, CellSums sums, Coding coding) {
        this.slice = slice;
        this.values = values;
        this.cells = cells;
        this.sums = sums;
        this.coding = coding;
        this.encoded = new ByteBuffer[coding.isFor(slice) ? cells.size() : 0];
        this.stages = new Stage[cells.size()];
        this.heardInside = new int[cells.size()];
        this.heardSites = new int[cells.size()];
        this.toldSites = new int[cells.size()];
        Arrays.fill(stages, Stage.OWN);
    }

    Slice slice() {
        return slice;
    }

    List<Cell> cells() {
        return cells;
    }

    int cellBytes(int cell) {
        return cells.get(cell).bytes();
    }

    /** Whether a cell has come to a stage. */
    boolean isAt(int cell, Stage stage) {
        return stages[cell].compareTo(stage) >= 0;
    }

    /** A stretch of a cell in this rank's memory, up to the end of a chunk of memory. */
    ByteBuffer bytes(int cell, int from, int most) {
        Cell place = cells.get(cell);
        int length = Math.min(most, place.bytes() - from);
        return values.slice(place.startBytes() + from, length).buffers().get(0);
    }

    /** All of a cell in this rank's memory. */
    Span memory(int cell) {
        return values.slice(cells.get(cell).startBytes(), cells.get(cell).bytes());
    }

    // ---- Between sites

    /** The codec for a site's bytes of a cell to other sites; null for none. */
    @Nullable Codec codec(int cell, int site, Freight freight) {
        return coding.codec(slice, cells.get(cell), site, freight);
    }

    int encodedBytes(int cell, Codec codec) {
        return codec.encodedBytes(cells.get(cell).bytes() / slice.type().bytes());
    }

    /** The most that a cell of any slice takes when encoded. */
    int mostEncodedBytes() {
        return coding.mostBytes(Cut.mostCellBytes());
    }

    /** The encoded bytes of a cell that this rank owns. */
    ByteBuffer encoded(int cell) {
        return Objects.requireNonNull(encoded[cell], "this cell was not encoded here");
    }

    /** Sets a cell in this rank's memory to what another site encoded. */
    void decode(int cell, Codec codec, ByteBuffer bytes) {
        Coding.decode(codec, slice, bytes, memory(cell));
    }

    // ---- What happens to a cell

    /** The values of another rank of this site lie in their box. */
    void heardInside(int cell) {
        heardInside[cell]++;
        advance(cell);
    }

    /** The sum of another site lies in its box. */
    void heardSite(int cell) {
        heardSites[cell]++;
        advance(cell);
    }

    /** This site's sum has gone to another site: the memory may hold something else. */
    void toldSite(int cell) {
        toldSites[cell]++;
        advance(cell);
    }

    /** The whole sum was received into this rank's memory. */
    void isWhole(int cell) {
        stages[cell] = Stage.WHOLE;
    }

    /** Adds what can be added of a cell that this rank owns. */
    void advance(int cell) {
        Cell place = cells.get(cell);
        if (stages[cell] == Stage.OWN && heardInside[cell] == sums.mates()) {
            sums.addInside(this, cell);
            stages[cell] = Stage.SITE;
            if (coding.isFor(slice) && sums.goesElsewhere(place)) {
                encode(cell, Freight.SITE_SUM);
            }
        }
        boolean isAdded =
                stages[cell] == Stage.SITE
                        && sums.isAddedHere(place)
                        && heardSites[cell] == sums.otherSites()
                        && toldSites[cell] == place.adders().size() - 1;
        if (isAdded) {
            sums.addSites(this, cell);
            stages[cell] = Stage.WHOLE;
            if (coding.isFor(slice) && sums.isToldElsewhere(place)) {
                encode(cell, Freight.WHOLE_SUM);
            }
        }
    }

    /** Encodes what lies in memory, once for all; and goes on with what all others will have. */
    private void encode(int cell, Freight freight) {
        Cell place = cells.get(cell);
        Codec codec = codec(cell, sums.site(), freight);
        if (codec == null) {
            coding.leave(slice, place, memory(cell));
            return;
        }
        ByteBuffer bytes = coding.encode(codec, slice, place, memory(cell));
        encoded[cell] = bytes;
        decode(cell, codec, bytes);
    }
}

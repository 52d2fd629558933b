package dev.medley.data.table.series;

import dev.medley.data.shard.ShardFile;
import java.util.ArrayList;
import java.util.List;

/** Collects windows over a file of rows, of one split: a run for each series. */
final class WindowFile {
    /** The rows of all series, one behind the other; both splits are places in it. */
    static final String NAME = "rows.bin";

    private final int windowRows;
    private final int rowBytes;
    private final List<ShardFile.Run> runs = new ArrayList<>();
    private long windows;

    /** Windows of so many rows. */
    WindowFile(int windowRows, int rowBytes) {
        this.windowRows = windowRows;
        this.rowBytes = rowBytes;
    }

    /** Adds the windows that begin at {@code firstRow} of the file and those after it. */
    void add(long firstRow, long count) {
        if (count > 0) {
            runs.add(new ShardFile.Run(windows, firstRow * rowBytes));
            windows += count;
        }
    }

    long windows() {
        return windows;
    }

    ShardFile file() {
        return ShardFile.ofRuns(NAME, runs, rowBytes, windowRows * rowBytes, windows);
    }
}

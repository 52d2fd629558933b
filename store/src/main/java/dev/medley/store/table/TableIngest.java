package dev.medley.store.table;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.store.encoding.TableEncoding;
import dev.medley.store.shard.Ingested;
import dev.medley.store.shard.Workplace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** stub */
public final class TableIngest {
    public TableIngest(DataSpec spec, DataFormat format, Workplace place) {}

    public Ingested ingest(List<Path> train, List<Path> validation) throws IOException {
        throw new UnsupportedOperationException();
    }

    public Ingested encode(TableEncoding encoding, List<Path> files) throws IOException {
        throw new UnsupportedOperationException();
    }
}

package dev.medley.connect.sync;

import dev.medley.base.time.Clock;
import dev.medley.connect.back.BackReport;
import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.BackTable;
import dev.medley.connect.back.Destination;
import dev.medley.connect.back.RowOutcomes;
import dev.medley.connect.back.WriteBack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes rows back into memory, with its state in a folder. */
final class BackFolder implements Destination {
    private final Path folder;
    private final Map<String, List<String>> rows = new HashMap<>();

    BackFolder(Path folder) {
        this.folder = folder;
    }

    BackReport write(int count) throws IOException {
        try (WriteBack back = WriteBack.open(folder, this, Clock.system())) {
            return back.write(
                    taker -> {
                        for (int i = 0; i < count; i++) {
                            taker.row(new BackRow("k" + i, List.of("v" + i)));
                        }
                    });
        }
    }

    Map<String, List<String>> there() {
        return rows;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public BackTable table() {
        return new BackTable("t", "id", List.of("v"));
    }

    @Override
    public void open() {}

    @Override
    public int mostRows() {
        return 500;
    }

    @Override
    public void send(List<BackRow> sent, RowOutcomes delivery) throws IOException {
        for (BackRow row : sent) {
            rows.put(row.key(), row.values());
            delivery.written(row);
        }
    }
}

package dev.medley.connect.sync;

import dev.medley.base.time.Clock;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.snapshot.SnapshotWriter;
import java.io.IOException;
import java.nio.file.Path;

/** Holds a folder as a sync does, until it is killed or its input ends. */
final class HeldFolder {
    private HeldFolder() {}

    public static void main(String[] arguments) throws IOException {
        SnapshotFolder folder = new SnapshotFolder(Path.of(arguments[0]));
        try (SnapshotWriter writer = SnapshotWriter.open(folder, Clock.system())) {
            System.out.println("held " + writer.manifest().isPresent());
            System.in.read();
        }
    }
}

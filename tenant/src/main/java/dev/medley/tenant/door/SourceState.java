package dev.medley.tenant.door;

import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.files.FilesSource;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.tenant.policy.TablePlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells apart the states of a shared table, as far as that is seen without reading it: files by
 * name, size, time and place on the disk, snapshots by version. A database does not say; an extract
 * of it is kept for its time.
 */
final class SourceState {
    private SourceState() {}

    static String of(TablePlace place) throws IOException {
        if (place instanceof TablePlace.OfFiles files) {
            return ofFiles(files.options());
        }
        if (place instanceof TablePlace.OfSnapshot snapshot) {
            return new SnapshotFolder(snapshot.folder()).requireManifest().latest().toString();
        }
        return "unknown";
    }

    private static String ofFiles(FilesOptions options) throws IOException {
        List<String> states = new ArrayList<>();
        for (String name : new FilesSource(options).names()) {
            Path file = options.folder().resolve(name);
            BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
            states.add(
                    "%s %d %s %s"
                            .formatted(name, seen.size(), seen.lastModifiedTime(), seen.fileKey()));
        }
        return states.toString();
    }
}

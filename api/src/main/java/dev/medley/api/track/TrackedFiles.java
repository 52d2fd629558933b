package dev.medley.api.track;

import dev.medley.record.folder.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Lists the files of a run that a tracker gets, by the names that they have there. */
final class TrackedFiles {
    private TrackedFiles() {}

    /** Those that are there now, in the order in which they are sent. */
    static Map<String, Path> of(RunFolder folder) throws IOException {
        Map<String, Path> files = new LinkedHashMap<>();
        for (Path file :
                List.of(
                        folder.jobFile(),
                        folder.report(),
                        folder.evaluations(),
                        folder.evaluationReport(),
                        folder.summary())) {
            if (Files.isRegularFile(file)) {
                files.put(file.getFileName().toString(), file);
            }
        }
        if (Files.isDirectory(folder.model())) {
            try (Stream<Path> all = Files.list(folder.model())) {
                all.filter(Files::isRegularFile)
                        .sorted()
                        .forEach(file -> files.put("model/" + file.getFileName(), file));
            }
        }
        return files;
    }

    /** What another content of the file would change. */
    static String stamp(Path file) throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return now.size() + " " + now.lastModifiedTime();
    }

    /** How long they all are. */
    static long bytes(RunFolder folder) {
        long bytes = 0;
        try {
            for (Path file : of(folder).values()) {
                bytes += Files.size(file);
            }
        } catch (IOException e) {
            return bytes; // Whoever reads them says so.
        }
        return bytes;
    }
}

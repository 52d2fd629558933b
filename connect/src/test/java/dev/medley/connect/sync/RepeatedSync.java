package dev.medley.connect.sync;

import dev.medley.base.Seeds;
import dev.medley.connect.files.FileFormat;
import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.files.FilesSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Changes a file and syncs it, again and again, until it is killed. */
final class RepeatedSync {
    private static final int ROWS = 3_000;

    private RepeatedSync() {}

    public static void main(String[] arguments) throws IOException {
        Path files = Path.of(arguments[0]);
        RandomGenerator random = Seeds.generator(Long.parseLong(arguments[2]));
        Synced synced = new Synced(Path.of(arguments[1]));
        System.out.println("begun");
        while (true) {
            write(files, random);
            synced.sync(source(files));
        }
    }

    static FilesSource source(Path files) {
        return new FilesSource(
                new FilesOptions(files, "*.csv", FileFormat.CSV, List.of("id"), Map.of()));
    }

    static void write(Path files, RandomGenerator random) throws IOException {
        StringBuilder text = new StringBuilder("id,v\n");
        for (int id = 0; id < ROWS; id++) {
            if (random.nextInt(10) > 0) {
                text.append(id).append(',').append(random.nextInt(3)).append('\n');
            }
        }
        Path unfinished = Files.writeString(files.resolve("unfinished"), text);
        Files.move(unfinished, files.resolve("a.csv"), StandardCopyOption.ATOMIC_MOVE);
    }
}

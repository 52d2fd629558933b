package dev.medley.connect.files;

import dev.medley.store.file.Checksum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Remembers a file as it was read.
 *
 * @param name its path below the folder
 * @param modifiedMicros since 1970
 * @param checksum XXH64 of its bytes
 */
record FileStamp(String name, long bytes, long modifiedMicros, String checksum) {
    static FileStamp of(Path folder, String name) throws IOException {
        Path file = folder.resolve(name);
        return new FileStamp(
                name,
                Files.size(file),
                modifiedMicros(file),
                Checksum.of(file, Checksum.Kind.XXH64));
    }

    /** For who only looks whether it stays as it is. */
    static FileStamp withoutChecksum(Path folder, String name) throws IOException {
        Path file = folder.resolve(name);
        return new FileStamp(name, Files.size(file), modifiedMicros(file), "");
    }

    /** Whether the file has had no write since, as far as size and time tell. */
    boolean isUntouched(Path folder) throws IOException {
        Path file = folder.resolve(name);
        return Files.exists(file)
                && Files.size(file) == bytes
                && modifiedMicros(file) == modifiedMicros;
    }

    boolean hasSameBytes(FileStamp other) {
        return bytes == other.bytes && checksum.equals(other.checksum);
    }

    private static long modifiedMicros(Path file) throws IOException {
        return Files.getLastModifiedTime(file).to(TimeUnit.MICROSECONDS);
    }
}

package dev.medley.store.download;

import java.nio.file.Path;

/**
 * A file on this machine whose length and checksum are verified.
 *
 * @param path of the file
 * @param bytes its length
 * @param sha256 of its bytes, as computed from what is here
 * @param origin how it came here
 */
public record DownloadedFile(Path path, long bytes, String sha256, Origin origin) {
    /** How a file came here. */
    public enum Origin {
        /** By this call, from its first byte. */
        FETCHED,
        /** By this call, continuing what an earlier connection or call had brought. */
        RESUMED,
        /** It was here before. */
        ALREADY_HERE
    }
}

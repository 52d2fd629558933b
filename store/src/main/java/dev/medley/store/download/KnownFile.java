package dev.medley.store.download;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of a known data set.
 *
 * @param name under which it is kept
 * @param urls of the publisher, tried in this order
 * @param bytes its length
 * @param sha256 of its bytes
 * @param md5 where the publisher states it, for people to compare; null elsewhere
 * @param tidied what is kept in place of the file; null if it is kept as it was published
 */
public record KnownFile(
        String name,
        List<URI> urls,
        long bytes,
        String sha256,
        @Nullable String md5,
        @Nullable TidyTable tidied) {
    public KnownFile {
        urls = List.copyOf(urls);
        if (urls.isEmpty() || bytes < 0) {
            throw new IllegalArgumentException(name + ": no address, or a length of " + bytes);
        }
    }

    /** The name of the file that is there in the end. */
    String keptName() {
        return tidied == null ? name : tidied.name();
    }

    /** The same file from {@code folder} of another server. */
    KnownFile from(URI folder) {
        String base = folder.toString().replaceFirst("/*$", "/");
        return new KnownFile(name, List.of(URI.create(base + name)), bytes, sha256, md5, tidied);
    }
}

package dev.medley.store.download;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One file of a known data set.
 *
 * @param name under which it is kept
 * @param urls of the publisher, tried in this order
 * @param bytes its length
 * @param sha256 of its bytes
 * @param md5 where the publisher states it, for people to compare; null elsewhere
 */
public record KnownFile(
        String name, List<URI> urls, long bytes, String sha256, @Nullable String md5) {
    public KnownFile {
        urls = List.copyOf(urls);
        if (urls.isEmpty() || bytes < 0) {
            throw new IllegalArgumentException(name + ": no address, or a length of " + bytes);
        }
    }
}

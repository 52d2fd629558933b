package dev.medley.store.download;

import java.net.URI;
import java.util.List;

/**
 * A public data set that Medley can fetch.
 *
 * @param name for {@code medley data get}
 * @param title one line for people
 * @param licence under which its publisher gives it
 * @param homepage where it is described
 * @param files it consists of
 */
public record KnownDataSet(
        String name, String title, String licence, URI homepage, List<KnownFile> files) {
    public KnownDataSet {
        files = List.copyOf(files);
    }

    /** Bytes of all files. */
    public long bytes() {
        return files.stream().mapToLong(KnownFile::bytes).sum();
    }
}

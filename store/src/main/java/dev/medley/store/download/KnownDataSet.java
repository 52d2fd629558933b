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
 * @param use the {@code data:} section of a job with it
 */
public record KnownDataSet(
        String name,
        String title,
        String licence,
        URI homepage,
        List<KnownFile> files,
        String use) {
    public KnownDataSet {
        files = List.copyOf(files);
    }

    /** Bytes of all files. */
    public long bytes() {
        return files.stream().mapToLong(KnownFile::bytes).sum();
    }

    /** The same set from a mirror: a folder that has all files under their names. */
    public KnownDataSet from(URI mirror) {
        List<KnownFile> there = files.stream().map(file -> file.from(mirror)).toList();
        return new KnownDataSet(name, title, licence, homepage, there, use);
    }
}

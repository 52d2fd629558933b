package dev.medley.cli.download;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A data set that its publisher offers to everybody.
 *
 * @param name for the command line
 * @param title what it is
 * @param licence under which the publisher offers it
 * @param files that belong to it
 * @param use the {@code data:} section of a job with it
 */
public record PublicSet(
        String name, String title, String licence, List<RemoteFile> files, String use) {
    private static final String CATALOGUE = "/dev/medley/cli/public-sets.json";

    public PublicSet {
        files = List.copyOf(files);
    }

    /**
     * One file.
     *
     * @param url at its publisher
     * @param bytes its size
     * @param sha256 in lower-case hexadecimal digits
     * @param target its name here
     * @param head lines put in front of it here, for files without a header; empty for none
     * @param rewrite what is done to the lines, so that common tools read them
     */
    public record RemoteFile(
            String url, long bytes, String sha256, String target, String head, Rewrite rewrite) {
        /** What is done to a verified file. */
        public enum Rewrite {
            /** It stays as it is, byte for byte. */
            NONE,
            /**
             * UCI's Adult: comment lines and empty lines left out, spaces after commas and the full
             * stops of the test set's labels removed.
             */
            ADULT
        }

        /** The name under which it is downloaded. */
        public String fileName() {
            return url.substring(url.lastIndexOf('/') + 1);
        }
    }

    /** Bytes of all files. */
    public long bytes() {
        return files.stream().mapToLong(RemoteFile::bytes).sum();
    }

    /** All sets that are known. */
    public static List<PublicSet> all() {
        try (InputStream in = PublicSet.class.getResourceAsStream(CATALOGUE)) {
            if (in == null) {
                throw new IllegalStateException(CATALOGUE + " is missing from the jar");
            }
            return List.of(Json.parse(in.readAllBytes(), PublicSet[].class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The set of this name; a {@link ConfigException} names those that there are. */
    public static PublicSet named(String name) {
        List<PublicSet> all = all();
        return all.stream()
                .filter(s -> s.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        "no public set is called '%s'; there are %s"
                                                .formatted(
                                                        name,
                                                        String.join(
                                                                ", ",
                                                                all.stream()
                                                                        .map(PublicSet::name)
                                                                        .toList()))));
    }
}

package dev.medley.store.download;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The data sets that Medley knows, from a resource beside this class. Every length and SHA-256 in
 * it was computed from a copy of the file, and equals the publisher's where there is one.
 *
 * @param all in the order of the resource
 */
public record KnownDataSets(List<KnownDataSet> all) {
    private static final String RESOURCE = "known-data-sets.json";

    public KnownDataSets {
        all = List.copyOf(all);
    }

    /** Those of this version. */
    public static KnownDataSets builtIn() {
        try (InputStream json =
                Objects.requireNonNull(
                        KnownDataSets.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            return new KnownDataSets(
                    List.of(Json.parse(json.readAllBytes(), KnownDataSet[].class)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The set of that name; a {@link ConfigException} lists the names there are. */
    public KnownDataSet find(String name) {
        return all.stream()
                .filter(set -> set.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        "%s: not a data set that Medley knows; there are: %s"
                                                .formatted(name, names())));
    }

    private String names() {
        return all.stream().map(KnownDataSet::name).collect(Collectors.joining(", "));
    }
}

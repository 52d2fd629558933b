package dev.medley.serving.registry;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;

/**
 * Keeps the files of a registry, in a folder or in an object store. Paths are names below it, with
 * {@code /} between. Each file appears whole; whatever goes wrong is a {@link
 * dev.medley.base.ConfigException} that says where.
 *
 * <p>Thread: any.
 */
interface RegistryPlace {
    /** What lies directly below a path; none where nothing does. */
    List<String> children(String path);

    /** All of a small file. */
    byte[] read(String path);

    /** A small file of JSON. */
    default <T> T read(String path, Class<T> type) {
        return parsed(this + "/" + path, read(path), type);
    }

    /** What bytes say. */
    static <T> T parsed(String where, byte[] bytes, Class<T> type) {
        try {
            return Json.parse(bytes, type);
        } catch (JacksonException e) {
            throw new ConfigException(
                    "%s: damaged or edited: it is not the JSON that was expected: %s"
                            .formatted(where, e.getOriginalMessage()),
                    e);
        }
    }

    /** Writes a small file unless there is one; of all that do at the same time one succeeds. */
    boolean create(String path, byte[] content);

    /** Puts a small file in place of what is there. */
    void replace(String path, byte[] content);

    /**
     * Copies a model in and makes it a version, which comes with its card.
     *
     * @return whether nobody else took the version's place before
     */
    boolean publish(String version, Path model, VersionCard card);

    /** The card of a version. */
    VersionCard card(String version);

    /** The folder of a version's model on this machine, to which it is brought if need be. */
    Path model(String version);

    /**
     * Takes the model of a version away, at once; its card stays.
     *
     * @return whether it was there; false, too, where a place cannot do it
     */
    boolean takeModel(String version);

    /** Where a version's model lies, for others. */
    String address(String version);
}

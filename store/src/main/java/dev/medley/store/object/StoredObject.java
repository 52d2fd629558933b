package dev.medley.store.object;

import static dev.medley.base.ConfigException.check;

import java.nio.file.Path;

/**
 * An object as it was when it was looked at.
 *
 * @param name below the store's folder
 * @param bytes of its content
 * @param version changes with its content: the store's tag, or the time when it was written
 */
public record StoredObject(String name, long bytes, String version) {
    /**
     * The path of its copy below a folder.
     *
     * @throws dev.medley.base.ConfigException if no file can have its name: a stranger's must not
     *     lead out of the folder
     */
    public Path in(Path folder) {
        for (String part : name.split("/", -1)) {
            check(
                    !part.isEmpty()
                            && !part.equals(".")
                            && !part.equals("..")
                            && part.indexOf('\\') < 0
                            && part.indexOf('\0') < 0,
                    "%s: no file can have the name of this object: copy it under another one",
                    name);
        }
        return folder.resolve(name);
    }
}

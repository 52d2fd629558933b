package dev.medley.serving.host;

import static dev.medley.base.ConfigException.check;

import java.util.regex.Pattern;

/**
 * Names a version of a model.
 *
 * @param name letters, digits, and . _ - within
 * @param version likewise; versions of a model that are whole numbers are ordered by them
 */
public record ModelName(String name, String version) {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public ModelName {
        check(
                WORD.matcher(name).matches(),
                "'%s' is no name of a model: use up to 100 letters, digits, and . _ -",
                name);
        check(
                WORD.matcher(version).matches(),
                "'%s' is no version of a model: use up to 100 letters, digits, and . _ -",
                version);
    }

    @Override
    public String toString() {
        return name + " version " + version;
    }
}
